//! JSON text, plain, as MongoDB Extended JSON and with Oracle's extended objects.
