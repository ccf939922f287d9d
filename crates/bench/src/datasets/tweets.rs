//! A page of a time line: short messages in many scripts, each with its author, many names again and again, many nulls.

use boson_document::Value;

use super::build::{array, object, text};
use super::random::{Random, day_and_time};

/// `messages` messages and what the page says of itself.
pub(super) fn document(random: &mut Random, messages: usize) -> Value {
    let page = object([
        ("took_seconds", Value::Double(random.hundredths(1))),
        ("newest_id", Value::Int64(id(random))),
        ("query", text("#weather")),
        ("next_page", text(format!("?before={}&q=%23weather&count={messages}", id(random)))),
        ("count", Value::Int64(i64::try_from(messages).unwrap_or_default())),
        ("oldest_id", Value::Int32(0)),
    ]);
    object([("messages", array((0..messages).map(|_| message(random, true)))), ("page", page)])
}

/// An id beyond what a double holds exactly, as such services have them.
fn id(random: &mut Random) -> i64 {
    let low = i64::try_from(random.bits() >> 10).unwrap_or_default();
    500_000_000_000_000_000 + low % 10_000_000_000_000_000
}

fn with_id(random: &mut Random) -> [(&'static str, Value); 2] {
    let id = id(random);
    [("id", Value::Int64(id)), ("id_text", text(id.to_string()))]
}

const SENTENCES: [&str; 12] = [
    "雨がやんだので海まで歩いてきました。風が気持ちいい。",
    "今日の夕焼けはとてもきれいでした、写真を撮ればよかった。",
    "明日は朝から雪になりそうです。電車に気をつけてください。",
    "Первый снег в этом году, и сразу по колено.",
    "Der Nebel will heute gar nicht weichen, schön ist es trotzdem über den Dächern.",
    "Três dias de sol seguidos, já nem sei onde pus o guarda-chuva ☀️",
    "Storm warning for the coast until midnight, stay away from the pier!",
    "كان البحر هادئا هذا الصباح والسماء صافية تماما",
    "오늘은 바람이 많이 불어서 자전거를 탈 수 없었어요.",
    "Il pleut, il pleut… et le chat dort 😺",
    "हवा में अभी से ठंडक है, शाम तक बारिश होगी।",
    "Fog again 🌫️ 🌫️ 🌫️",
];

fn body(random: &mut Random) -> String {
    let sentences: Vec<&str> = (0..=random.index(4)).map(|_| random.pick(&SENTENCES)).collect();
    sentences.join(" ")
}

/// A message; three in four of those that may share an older one do.
fn message(random: &mut Random, may_share: bool) -> Value {
    let [id, id_text] = with_id(random);
    let shared = may_share && !random.once_in(4);
    let mut members = members([
        ("place", object([("language", text("mul")), ("result", text("recent"))])),
        ("posted_at", text(day_and_time(random.moment_ms()))),
        id,
        id_text,
        ("text", text(body(random))),
        ("client", text("<a href=\"https://example.org/client\" rel=\"nofollow\">Example for phones</a>")),
        ("cut", Value::Bool(false)),
    ]);
    members.extend(answered(random));
    members.push(("author".to_owned(), author(random)));
    members.extend(["geo", "coordinates", "town", "contributors"].map(|name| (name.to_owned(), Value::Null)));
    if shared {
        members.push(("shared".to_owned(), message(random, false)));
    }
    members.extend(self::members([
        ("share_count", Value::Int32(random.below(2000))),
        ("like_count", Value::Int32(random.below(5000))),
        ("parts", parts(random)),
        ("liked", Value::Bool(false)),
        ("shared_by_me", Value::Bool(false)),
        ("language", text(random.pick(&["ja", "ru", "de", "pt", "en", "ar", "ko", "fr", "hi", "und"]))),
    ]));
    Value::Object(members)
}

fn members<const N: usize>(members: [(&str, Value); N]) -> Vec<(String, Value)> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What the message answers, mostly nothing.
fn answered(random: &mut Random) -> Vec<(String, Value)> {
    if !random.once_in(5) {
        let names =
            ["answers_message", "answers_message_text", "answers_author", "answers_author_text", "answers_name"];
        return names.map(|name| (name.to_owned(), Value::Null)).to_vec();
    }
    let (message, author) = (id(random), random.below(2_000_000_000));
    members([
        ("answers_message", Value::Int64(message)),
        ("answers_message_text", text(message.to_string())),
        ("answers_author", Value::Int32(author)),
        ("answers_author_text", text(author.to_string())),
        ("answers_name", text(random.pick(&NAMES).1)),
    ])
}

const NAMES: [(&str, &str); 8] = [
    ("海の人", "umi_no_hito"),
    ("Светлана", "svetlana_sneg"),
    ("Jörg im Nebel", "joerg_nebel"),
    ("Inês ☂", "ines_chuva"),
    ("Harbour Master", "harbourmaster"),
    ("نور", "noor_albahr"),
    ("바람개비", "baramgaebi"),
    ("Chat Noir 🐈‍⬛", "chat_noir"),
];

fn author(random: &mut Random) -> Value {
    let (id, (name, screen_name)) = (random.below(2_000_000_000), random.pick(&NAMES));
    let image = format!("https://images.example.org/authors/{id}/{screen_name}_normal.png");
    let full_url = text(format!("https://{screen_name}.example.org/"));
    let ends = array([0, 22].map(Value::Int32));
    let home = object([("url", text("https://short.example/")), ("full_url", full_url), ("place", ends)]);
    let mut author = members([
        ("id", Value::Int32(id)),
        ("id_text", text(id.to_string())),
        ("name", text(name)),
        ("screen_name", text(screen_name)),
        ("location", text(random.pick(&["", "横浜", "Санкт-Петербург", "Kiel", "Porto", "부산"]))),
        ("about", text(body(random))),
        ("home", home.clone()),
        ("parts", object([("home", object([("links", array([home]))])), ("about", object([("links", array([]))]))])),
        ("protected", Value::Bool(false)),
        ("follower_count", Value::Int32(random.below(9000))),
        ("following_count", Value::Int32(random.below(3000))),
        ("list_count", Value::Int32(random.below(30))),
        ("joined_at", text(day_and_time(random.moment_ms()))),
        ("liked_count", Value::Int32(random.below(20_000))),
        ("utc_offset", if random.once_in(2) { Value::Null } else { Value::Int32(32_400) }),
        ("time_zone", if random.once_in(2) { Value::Null } else { text("Tokyo") }),
        ("message_count", Value::Int32(random.below(90_000))),
        ("language", text("ja")),
    ]);
    author.extend(page_style(random, &image));
    Value::Object(author)
}

/// The many members that are nearly the same for everyone.
fn page_style(random: &mut Random, image: &str) -> Vec<(String, Value)> {
    let mut style = members([
        ("page_background_color", text("C0DEED")),
        ("page_background_image", text("https://images.example.org/themes/theme1/background.png")),
        ("page_background_tiled", Value::Bool(random.once_in(3))),
        ("image", text(image)),
        ("image_large", text(image.replace("normal", "large"))),
        ("page_banner_image", text(image.replace("normal", "banner"))),
        ("page_link_color", text("0084B4")),
        ("page_sidebar_border_color", text("C0DEED")),
        ("page_sidebar_fill_color", text("DDEEF6")),
        ("page_text_color", text("333333")),
    ]);
    let flags = [
        "geo_enabled",
        "verified",
        "contributors_enabled",
        "is_translator",
        "is_translation_enabled",
        "page_uses_background_image",
        "default_page",
        "default_image",
        "followed_by_me",
        "follow_requested",
        "notifications",
    ];
    style.extend(flags.map(|name| (name.to_owned(), Value::Bool(random.once_in(5)))));
    style
}

/// Tags, links, people and pictures named in the text, with where they stand in it.
fn parts(random: &mut Random) -> Value {
    let place = |random: &mut Random| {
        let start = random.below(100);
        array([Value::Int32(start), Value::Int32(start + 3 + random.below(20))])
    };
    let tags = (0..random.index(3)).map(|_| {
        let tag = random.pick(&["weather", "天気", "снег", "Nebel", "mar"]);
        object([("text", text(tag)), ("place", place(random))])
    });
    let tags = array(tags);
    let links = (0..random.index(2)).map(|_| {
        let short = format!("https://short.example/{}", random.letters(10));
        let full = format!("https://weather.example.org/{}", random.letters(16));
        let shown = text("weather.example.org/…");
        object([("url", text(short)), ("full_url", text(full)), ("shown_url", shown), ("place", place(random))])
    });
    let links = array(links);
    let people = (0..random.index(3)).map(|_| {
        let (name, screen_name) = random.pick(&NAMES);
        let id = random.below(2_000_000_000);
        object([
            ("screen_name", text(screen_name)),
            ("name", text(name)),
            ("id", Value::Int32(id)),
            ("id_text", text(id.to_string())),
            ("place", place(random)),
        ])
    });
    let people = array(people);
    let pictures = if random.once_in(6) { array([picture(random)]) } else { array([]) };
    object([("tags", tags), ("symbols", array([])), ("links", links), ("people", people), ("pictures", pictures)])
}

fn picture(random: &mut Random) -> Value {
    let [id, id_text] = with_id(random);
    let name = random.letters(15);
    let size =
        |width, height, fit| object([("w", Value::Int32(width)), ("h", Value::Int32(height)), ("resize", text(fit))]);
    let sizes = object([
        ("medium", size(600, 399, "fit")),
        ("small", size(340, 226, "fit")),
        ("thumb", size(150, 150, "crop")),
        ("large", size(1024, 681, "fit")),
    ]);
    let url = text(format!("https://pictures.example.org/media/{name}.jpg"));
    object([id, id_text, ("url", url), ("kind", text("photo")), ("sizes", sizes)])
}
