//! A browser that is told what to do through a pipe, by the protocol that its own tools use: a driver crate would bring a
//! hundred others.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long the browser may take to answer.
const PATIENCE: Duration = Duration::from_mins(2);

/// Names under which the browser is found.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    orders: ChildStdin,
    answers: Receiver<Value>,
    /// What the page told that nobody has asked for.
    events: VecDeque<Value>,
    session: String,
    last: u64,
    _folder: TempDir,
}

/// How a page is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) scheme: &'static str,
}

fn is_there(name: &str) -> bool {
    let version = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

impl Browser {
    /// Starts it; `None`, after saying so, where there is none.
    pub(crate) fn start() -> Option<Self> {
        let Some(name) = NAMES.into_iter().find(|name| is_there(name)) else {
            boson_testkit::skip("no Chromium is here to look at pages: apt-get install chromium");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        // The browser reads orders from the descriptor 3 and answers on 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null", name])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"])
            .args(["--hide-scrollbars", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let orders = child.stdin.take().unwrap();
        let mut stream = BufReader::new(child.stdout.take().unwrap());
        let (send, answers) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while stream.read_until(0, &mut message).is_ok_and(|len| len > 0) {
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else { break };
                if send.send(value).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let session = String::new();
        let mut browser = Self { child, orders, answers, events: VecDeque::new(), session, last: 0, _folder: folder };
        browser.open();
        Some(browser)
    }

    fn open(&mut self) {
        let target = self.ask("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attached = self.ask("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        attached["sessionId"].as_str().unwrap().clone_into(&mut self.session);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.ask(&format!("{domain}.enable"), json!({}));
        }
    }

    /// Asks for something and waits for the answer.
    #[expect(clippy::needless_pass_by_value, reason = "what is passed is made in the call")]
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut order = json!({"id": self.last, "method": method, "params": parameters});
        if !self.session.is_empty() {
            order["sessionId"] = json!(self.session);
        }
        let mut text = serde_json::to_vec(&order).unwrap();
        text.push(0);
        self.orders.write_all(&text).unwrap();
        loop {
            let mut message = self.answers.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {method}"));
            if message["id"] == json!(self.last) {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
            self.events.push_back(message);
        }
    }

    /// Waits until the page has told this.
    fn wait_for(&mut self, event: &str) {
        while !self.events.iter().any(|message| message["method"] == json!(event)) {
            let message = self.answers.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {event}"));
            self.events.push_back(message);
        }
    }

    /// Shows a file. Everything that was told before is forgotten.
    pub(crate) fn show(&mut self, file: &Path, view: View) {
        let View { width, height, scheme } = view;
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.ask("Emulation.setDeviceMetricsOverride", size);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.ask("Emulation.setEmulatedMedia", json!({"features": features}));
        // Another page between them: an address that differs in its end alone is no new page.
        self.ask("Page.navigate", json!({"url": "about:blank"}));
        self.wait_for("Page.loadEventFired");
        self.events.clear();
        self.ask("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        self.wait_for("Page.loadEventFired");
        // The blank page may have told late that it was there.
        while self.value("document.readyState + location.protocol") != json!("completefile:") {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.ask("Runtime.evaluate", asked);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// Presses a key and lets it go; waits until the page has done what comes of it.
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "Backspace" => 8,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => panic!("no code of {key}"),
        };
        let mut down = json!({"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code});
        if key == "Enter" {
            down["text"] = json!("\r");
        }
        self.ask("Input.dispatchKeyEvent", down);
        self.ask(
            "Input.dispatchKeyEvent",
            json!({"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}),
        );
        self.value("new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 0)))");
    }

    /// A picture of the whole page as PNG.
    pub(crate) fn picture(&mut self) -> Vec<u8> {
        let answer = self.ask("Page.captureScreenshot", json!({"captureBeyondViewport": true}));
        BASE64_STANDARD.decode(answer["data"].as_str().unwrap()).unwrap()
    }

    /// What the page has complained of since it was shown: errors, exceptions, anything that it was not allowed.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let is_one = |message: &&Value| {
            let method = message["method"].as_str().unwrap_or_default();
            matches!(method, "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded")
        };
        self.events.iter().filter(is_one).map(ToString::to_string).collect()
    }

    /// The addresses that the page has asked for since it was shown.
    pub(crate) fn requests(&self) -> Vec<String> {
        let sent = self.events.iter().filter(|message| message["method"] == json!("Network.requestWillBeSent"));
        sent.map(|message| message["params"]["request"]["url"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Nobody is left to tell if it cannot be stopped or was gone before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
