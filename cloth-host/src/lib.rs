//! Cloth in a scene.
