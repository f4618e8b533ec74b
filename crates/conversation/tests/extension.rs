//! Lists as what they add to the list before.

use conversation::{Extension, Stretches};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn lists_come_back_from_what_they_add(lists in vec(vec(0_u32..6, 0..40), 0..8)) {
        let (mut before, mut read, mut stretches) = (Vec::new(), Vec::new(), Stretches::default());
        for list in lists {
            let extension = Extension::new(&before, &list, &mut stretches);
            prop_assert_eq!(extension.count(), list.len());
            let mut list_before = before.clone();
            let kept_at_most = extension.kept as usize / 2;
            let rest = &list[kept_at_most..];
            let after = Extension::after(&mut list_before, kept_at_most, rest, &mut stretches);
            prop_assert_eq!((&after, &list_before), (&extension, &list));
            let json = serde_json::to_string(&extension).unwrap();
            let kept = extension.kept as usize;
            prop_assert_eq!(before.get(..kept), list.get(..kept));
            serde_json::from_str::<Extension>(&json).unwrap().extend(&mut read);
            prop_assert_eq!(&read, &list);
            before = list;
        }
    }
}
