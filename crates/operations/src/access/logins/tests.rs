use std::net::{IpAddr, Ipv4Addr};

use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_000);

fn client(number: u32) -> ClientAddress {
    ClientAddress::new(IpAddr::V4(Ipv4Addr::from_bits(number)))
}

fn begin(logins: &Logins, email: &str, from: u32) -> Result<LoginAttempt> {
    logins.begin(email, client(from), 10, NOW)
}

fn fail(logins: &Logins, email: &str, from: u32) -> bool {
    let begun = begin(logins, email, from);
    begun.map(|attempt| attempt.judge(false)).is_ok()
}

fn retry_after(refused: Result<LoginAttempt>) -> Option<u64> {
    let refusal = refused.err().unwrap();
    assert_eq!(refusal.code(), ErrorCode::LoginLimited);
    refusal.retry_after()
}

#[test]
fn only_a_verdict_or_a_fault_of_ours_takes_an_attempt_back() {
    let logins = Logins::default();
    for _ in 0..20 {
        begin(&logins, "a@b.c", 1).unwrap().judge(true);
        begin(&logins, "a@b.c", 1).unwrap().withdraw();
    }
    for _ in 0..5 {
        drop(begin(&logins, "a@b.c", 1).unwrap());
    }
    assert_eq!(retry_after(begin(&logins, "a@b.c", 1)), Some(60));
    let email = logins.0.hasher.hash_one("a@b.c");
    let failed = |limit: u32| {
        let windows = &logins.0.windows;
        limit - windows.peek(Subject::Account(email), limit, NOW).remaining
    };
    assert_eq!(failed(100), 0, "nobody hears of a guess without a verdict");
    assert!(fail(&logins, "a@b.c", 2));
    assert_eq!(failed(100), 1);
}

#[test]
fn few_log_ins_of_an_account_are_under_way_at_once_from_an_address() {
    let logins = Logins::default();
    let first = begin(&logins, "a@b.c", 1).unwrap();
    let second = begin(&logins, " A@b.c", 1).unwrap();
    for _ in 0..20 {
        assert_eq!(retry_after(begin(&logins, "a@b.c", 1)), Some(1));
    }
    assert!(begin(&logins, "a@b.c", 2).is_ok(), "another address");
    assert!(begin(&logins, "other@b.c", 1).is_ok(), "another account");
    first.judge(false);
    let third = begin(&logins, "a@b.c", 1).unwrap();
    assert!(begin(&logins, "a@b.c", 1).is_err());
    drop((second, third));
    assert!(logins.0.under_way.lock().is_empty());
}

#[test]
fn an_account_stands_in_the_line_of_the_familiar_twice_at_most() {
    let logins = Logins::default();
    for (email, from) in [("a@b.c", 1), ("a@b.c", 2), ("a@b.c", 3), ("d@b.c", 4)] {
        let stranger = begin(&logins, email, from).unwrap();
        assert_eq!(stranger.queue(), Queue::Strangers);
        stranger.judge(true);
    }
    let thief = [1, 2].map(|from| begin(&logins, "a@b.c", from).unwrap());
    assert!(
        thief
            .iter()
            .all(|attempt| attempt.queue() == Queue::Familiar)
    );
    let owner = begin(&logins, "a@b.c", 3).unwrap();
    assert_eq!(owner.queue(), Queue::Strangers, "not locked out either");
    let neighbour = begin(&logins, "d@b.c", 4).unwrap();
    assert_eq!(neighbour.queue(), Queue::Familiar);
    drop(thief);
    drop(owner);
    let owner = begin(&logins, "a@b.c", 3).unwrap();
    assert_eq!(owner.queue(), Queue::Familiar);
}

#[test]
fn many_log_ins_succeed_but_not_endlessly_many() {
    let logins = Logins::default();
    for _ in 0..60 {
        begin(&logins, "a@b.c", 1).unwrap().judge(true);
    }
    assert_eq!(retry_after(begin(&logins, "a@b.c", 1)), Some(60));
    assert!(begin(&logins, "a@b.c", 2).is_ok(), "another address");
    assert!(begin(&logins, "other@b.c", 1).is_ok(), "another account");
    let later = NOW.plus_ms(Timestamp::MINUTE_MS);
    assert!(logins.begin("a@b.c", client(1), 10, later).is_ok());
}

#[test]
fn an_attack_slows_strangers_and_spares_who_is_known() {
    let logins = Logins::default();
    let owner = 7 << 8;
    begin(&logins, "a@b.c", owner).unwrap().judge(true);
    // A thousand networks, each trying as often as it may.
    let tried: u32 = (100..1_100_u32)
        .map(|network| {
            let tries = (0..10).filter(|_| fail(&logins, "A@B.c", network << 8));
            tries.count() as u32
        })
        .sum();
    assert!(tried <= 30 + 5 + 1_000, "{tried}");
    assert!(fail(&logins, "a@b.c", owner), "the owner's own address");
    assert!(fail(&logins, "a@b.c", 9 << 8), "once from a new network");
    assert!(!fail(&logins, "a@b.c", (9 << 8) + 1), "and not twice");
    assert!(fail(&logins, "other@b.c", (9 << 8) + 2), "another account");
}

#[test]
fn an_attack_slows_strangers_before_its_first_guess_is_judged() {
    let logins = Logins::default();
    let owner = 7 << 8;
    begin(&logins, "a@b.c", owner).unwrap().judge(true);
    // One network, all of its addresses at the same time and none of them judged yet.
    let under_way: Vec<LoginAttempt> = (0..256)
        .filter_map(|host| begin(&logins, "A@B.c", (9 << 8) + host).ok())
        .collect();
    assert_eq!(under_way.len(), 30 + 1);
    let familiar = begin(&logins, "a@b.c", owner).unwrap();
    assert_eq!(familiar.queue(), Queue::Familiar, "the owner's own address");
    familiar.judge(true);
    // Half of them fail, and half of them hang up before their verdict.
    for (number, attempt) in under_way.into_iter().enumerate() {
        if number % 2 == 0 {
            attempt.judge(false);
        }
    }
    let again: Vec<LoginAttempt> = (100..200)
        .filter_map(|host| begin(&logins, "a@b.c", (9 << 8) + host).ok())
        .collect();
    assert_eq!(again.len(), 14, "up to thirty, failed and under way");
    drop(again);
    assert!(logins.0.under_way.lock().is_empty());
}
