//! What the linker has to be told where extension modules leave the interpreter's symbols open.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
