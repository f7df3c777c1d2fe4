//! Canonical JSON (RFC 8785): one byte sequence for each value, whoever writes it.
//!
//! Names are sorted by their UTF-16 code units, numbers are written as ECMAScript writes a double, and there is no
//! white space. Hashes and signatures always cover this form.

use serde::Serialize;

use super::Error;

/// The canonical bytes of a value. Every number counts as a double, so whole numbers are exact up to 2^53.
pub fn canonical<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    serde_json_canonicalizer::to_vec(value).map_err(Error::Canonical)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn check(input: &str, expected: &str) {
        let value: Value = serde_json::from_str(input).unwrap();
        let bytes = canonical(&value).unwrap();
        assert_eq!(std::str::from_utf8(&bytes).unwrap(), expected);
    }

    /// RFC 8785, sections 3.2.2 and 3.2.4.
    #[test]
    fn writes_the_example_of_the_rfc() {
        check(
            r#"{
                "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
                "literals": [null, true, false]
            }"#,
            r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#,
        );
    }

    /// RFC 8785, section 3.2.3: the emoji's surrogates come before the Hebrew letter; sorting by code points would
    /// reverse them.
    #[test]
    fn sorts_names_by_utf_16_code_units() {
        check(
            r#"{
                "\u20ac": "Euro Sign",
                "\r": "Carriage Return",
                "\ufb33": "Hebrew Letter Dalet With Dagesh",
                "1": "One",
                "\ud83d\ude00": "Emoji: Grinning Face",
                "\u0080": "Control",
                "\u00f6": "Latin Small Letter O With Diaeresis"
            }"#,
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\
             \"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}",
        );
    }

    #[test]
    fn escapes_only_what_must_be_escaped() {
        check(
            r#""\b\t\n\f\r\u0000\u001f\u007f\u2028\/é""#,
            "\"\\b\\t\\n\\f\\r\\u0000\\u001f\u{7f}\u{2028}/é\"",
        );
    }

    /// RFC 8785, appendix B; the cases that JSON cannot hold are left to the test below.
    const NUMBERS: [(u64, &str); 24] = [
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ];

    #[test]
    fn writes_the_numbers_of_the_rfc() {
        for (bits, expected) in NUMBERS {
            let number = f64::from_bits(bits);
            let text = String::from_utf8(canonical(&number).unwrap()).unwrap();
            assert_eq!(text, expected, "{bits:016x}");
        }
    }

    /// RFC 8785, section 3.2.2.3: anything that is not a JSON number stops the signer.
    #[test]
    fn refuses_what_is_no_number() {
        for bits in [0x7fff_ffff_ffff_ffff_u64, 0x7ff0_0000_0000_0000] {
            assert!(canonical(&f64::from_bits(bits)).is_err(), "{bits:016x}");
        }
    }

    proptest! {
        #[test]
        fn a_number_reads_back_as_itself(number in proptest::num::f64::NORMAL) {
            let text = canonical(&number).unwrap();
            prop_assert_eq!(serde_json::from_slice::<f64>(&text).unwrap(), number);
        }

        #[test]
        fn the_canonical_form_of_the_canonical_form_is_itself(names in proptest::collection::vec("\\PC{0,6}", 0..9), number: f64) {
            let object: serde_json::Map<String, Value> =
                names.into_iter().map(|name| (name, Value::from(number))).collect();
            let once = canonical(&object).unwrap();
            let again = canonical(&serde_json::from_slice::<Value>(&once).unwrap()).unwrap();
            prop_assert_eq!(once, again);
        }
    }
}
