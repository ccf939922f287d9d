//! Readings of sensors in the shape of a published case on BSON's types, once as text and once typed.

use boson_document::Value;

use super::build::{array, object, text};
use super::random::{Random, iso_8601, uuid_text};

/// 2024-01-15T10:30:00Z, when the first reading is taken; one follows each second.
const START_MS: i64 = 1_705_314_600_000;
/// 2024-01-10T00:00:00Z, when every sensor was calibrated.
const CALIBRATED_MS: i64 = 1_704_844_800_000;

/// One reading, before it is decided how to write it.
pub(super) struct Reading {
    id: [u8; 16],
    sensor: usize,
    moment_ms: i64,
    temperature_tenths: i32,
    humidity_tenths: i32,
    pressure_hundredths: i32,
    active: bool,
    battery_percent: i32,
}

/// The reading number `index`, of one of 500 sensors in turn.
pub(super) fn reading(random: &mut Random, index: usize) -> Reading {
    Reading {
        id: random.uuid(),
        sensor: index % 500,
        moment_ms: START_MS.saturating_add(1000 * i64::try_from(index).unwrap_or_default()),
        temperature_tenths: random.below(401),
        humidity_tenths: random.below(1001),
        pressure_hundredths: 99_000 + random.below(4001),
        active: !random.once_in(10),
        battery_percent: random.below(101),
    }
}

impl Reading {
    pub(super) fn strings(&self) -> Value {
        let tenths = |number: i32| text(format!("{}.{}", number / 10, number % 10));
        let pressure = format!("{}.{:02}", self.pressure_hundredths / 100, self.pressure_hundredths % 100);
        self.members([
            ("timestamp", text(iso_8601(self.moment_ms))),
            ("temperature", tenths(self.temperature_tenths)),
            ("humidity", tenths(self.humidity_tenths)),
            ("pressure", text(pressure)),
            ("isActive", text(self.active.to_string())),
            ("lastCalibration", text(iso_8601(CALIBRATED_MS))),
            ("batteryLevel", text(self.battery_percent.to_string())),
        ])
    }

    pub(super) fn typed(&self) -> Value {
        self.members([
            ("timestamp", Value::DateTime(self.moment_ms)),
            ("temperature", Value::Double(f64::from(self.temperature_tenths) / 10.0)),
            ("humidity", Value::Double(f64::from(self.humidity_tenths) / 10.0)),
            ("pressure", Value::Double(f64::from(self.pressure_hundredths) / 100.0)),
            ("isActive", Value::Bool(self.active)),
            ("lastCalibration", Value::DateTime(CALIBRATED_MS)),
            ("batteryLevel", Value::Int32(self.battery_percent)),
        ])
    }

    /// What both forms share, around the seven members that they write each in its own way; the last two of those stand
    /// in `metadata`.
    fn members(&self, own: [(&str, Value); 7]) -> Value {
        let [timestamp, temperature, humidity, pressure, active, calibrated, battery] = own;
        object([
            ("_id", text(uuid_text(self.id))),
            ("sensorId", text(format!("sensor-{:05}", self.sensor))),
            timestamp,
            temperature,
            humidity,
            pressure,
            active,
            ("tags", array(["indoor", "floor-3", "zone-a"].map(text))),
            ("metadata", object([("firmwareVersion", text("2.1.0")), calibrated, battery])),
        ])
    }
}
