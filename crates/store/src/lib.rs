//! Where documents come from and go to: dump files, JSON lines, images, compressed or not.
