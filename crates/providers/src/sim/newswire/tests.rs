use super::*;

#[test]
fn tables_can_be_read() {
    World::load().unwrap();
}
