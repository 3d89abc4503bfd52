//! The flag on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
fn main() {}

#[cfg(target_os = "none")]
mod firmware {
    use cloth_core::Block;
    use cloth_embedded::models::{FLAG, FLAG_FINGERPRINT, FLAG_STATE};
    use cloth_embedded::{machine, scene::Cloth};

    /// All the memory the cloth has.
    static mut STATE: [Block; FLAG_STATE] = [Block([0; 4]); FLAG_STATE];

    #[cortex_m_rt::entry]
    fn main() -> ! {
        // SAFETY: main runs once, and nothing else names the memory.
        let memory = unsafe { &mut *(&raw mut STATE) };
        machine::show(Cloth::Flag, &FLAG.0, memory, FLAG_FINGERPRINT)
    }
}
