//! Images put together by hand: the parts that matter to a test, the rest as the format has it.

/// The parts of an image of a container.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) version: u8,
    /// Flags besides those that follow from the rest.
    pub(super) flags: u16,
    /// Short names in the order of their ids.
    pub(super) short: Vec<Vec<u8>>,
    /// Long names in the order of their ids, and the hashes stored with them.
    pub(super) long: Vec<(Vec<u8>, u16)>,
    pub(super) tree: Vec<u8>,
    pub(super) update: Option<Update>,
}

/// The parts that follow the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Update {
    pub(super) entries: Vec<(u16, u16)>,
    pub(super) spare: usize,
    pub(super) extended: Vec<u8>,
}

/// An image of version 1 with these names and this tree.
pub(super) fn parts(names: &[&str], tree: &[u8]) -> Parts {
    Parts {
        version: 1,
        flags: 0,
        short: names.iter().map(|name| name.as_bytes().to_vec()).collect(),
        long: Vec::new(),
        tree: tree.to_vec(),
        update: None,
    }
}

/// The same with the names sorted, and the id of each name.
pub(super) fn sorted(names: &[&str]) -> (Vec<String>, impl Fn(&str) -> u8) {
    let mut sorted: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    sorted.sort_by_key(|name| (fnv1a(name.as_bytes()) & 0xFF, name.len(), name.clone()));
    let ids = sorted.clone();
    (sorted, move |name: &str| u8::try_from(ids.iter().position(|n| n == name).unwrap() + 1).unwrap())
}

pub(super) fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |hash: u32, byte| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619))
}

impl Parts {
    pub(super) fn image(&self) -> Vec<u8> {
        let total = self.short.len() + self.long.len();
        let wide = total > 255;
        let has_long = self.version >= 3;
        let flags = self.flags
            | 0x0006
            | if self.short.is_empty() { 0 } else { 0x0100 }
            | if wide { 0x0400 } else { 0 }
            | if self.tree.len() > 0xFFFF { 0x1000 } else { 0 };
        let mut image = vec![0xFF, 0x4A, 0x5A, self.version];
        put2(&mut image, usize::from(flags));
        if wide {
            put2(&mut image, self.short.len());
        } else {
            image.push(u8::try_from(self.short.len()).unwrap());
        }
        let heap: usize = self.short.iter().map(|name| name.len() + 1).sum();
        put2(&mut image, heap);
        if has_long {
            put2(&mut image, 0);
            put4(&mut image, self.long.len());
            put4(&mut image, self.long.iter().map(|(name, _)| name.len() + 2).sum());
        }
        if self.tree.len() > 0xFFFF {
            put4(&mut image, self.tree.len());
        } else {
            put2(&mut image, self.tree.len());
        }
        put2(&mut image, 0);
        self.put_short_names(&mut image);
        self.put_long_names(&mut image);
        image.extend_from_slice(&self.tree);
        if let Some(update) = &self.update {
            update.put(&mut image);
        }
        image
    }

    fn put_short_names(&self, image: &mut Vec<u8>) {
        image.extend(self.short.iter().map(|name| fnv1a(name).to_le_bytes()[0]));
        let mut offset = 0;
        for name in &self.short {
            put2(image, offset);
            offset += name.len() + 1;
        }
        for name in &self.short {
            image.push(u8::try_from(name.len()).unwrap());
            image.extend_from_slice(name);
        }
    }

    fn put_long_names(&self, image: &mut Vec<u8>) {
        for (_, hash) in &self.long {
            put2(image, usize::from(*hash));
        }
        let mut offset = 0;
        for (name, _) in &self.long {
            put4(image, offset);
            offset += name.len() + 2;
        }
        for (name, _) in &self.long {
            put2(image, name.len());
            image.extend_from_slice(name);
        }
    }
}

impl Update {
    fn put(&self, image: &mut Vec<u8>) {
        let used = self.entries.len() * 4;
        put2(image, 0x0100);
        put2(image, self.entries.len());
        put4(image, 0);
        put4(image, used + self.spare);
        put4(image, self.extended.len());
        for (from, to) in &self.entries {
            put2(image, usize::from(*from));
            put2(image, usize::from(*to));
        }
        image.resize(image.len() + self.spare, 0);
        image.extend_from_slice(&self.extended);
    }
}

/// A scalar image of version 1 with this tree segment.
pub(super) fn scalar(tree: &[u8]) -> Vec<u8> {
    let mut image = vec![0xFF, 0x4A, 0x5A, 1];
    put2(&mut image, if tree.len() > 0xFFFF { 0x1016 } else { 0x0016 });
    if tree.len() > 0xFFFF {
        put4(&mut image, tree.len());
    } else {
        put2(&mut image, tree.len());
    }
    image.extend_from_slice(tree);
    image
}

fn put2(image: &mut Vec<u8>, value: usize) {
    image.extend_from_slice(&u16::try_from(value).unwrap().to_be_bytes());
}

fn put4(image: &mut Vec<u8>, value: usize) {
    image.extend_from_slice(&u32::try_from(value).unwrap().to_be_bytes());
}
