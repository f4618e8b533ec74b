//! Call terms with an effect on the price: the service tier, the place and the hour.

use crate::prices::{LongCache, Price, Tier};

/// The logged terms of one call. [`Price::on`] applies them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Terms<'t> {
    /// The service tier, such as `priority`; `None` for the standard one.
    pub tier: Option<&'t str>,
    /// The place where the model ran, such as `us`.
    pub geography: Option<&'t str>,
    /// When the call was made; `None` if its log has no times.
    pub hour: Option<HourOfWeek>,
}

/// An hour of the week, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HourOfWeek {
    /// Days since Monday.
    pub day: u8,
    /// From 0 to 23.
    pub hour: u8,
}

/// The day of the week of 1970-01-01, a Thursday.
const FIRST_WEEKDAY: i64 = 3;

impl HourOfWeek {
    /// The hour of a time in seconds since 1970-01-01 00:00 UTC.
    pub fn of_seconds(seconds: i64) -> HourOfWeek {
        let day = (seconds.div_euclid(86_400) + FIRST_WEEKDAY).rem_euclid(7);
        let hour = seconds.rem_euclid(86_400) / 3_600;
        HourOfWeek { day: day as u8, hour: hour as u8 }
    }

    fn is_working_day(self) -> bool {
        self.day < 5
    }
}

impl<'t> Terms<'t> {
    /// Terms without a multiple in the price, such as `tier turbo`. They cost the same as the standard ones.
    pub fn unknown_terms(&self, price: &Price) -> Vec<String> {
        let mut unknown = Vec::new();
        if let Some(tier) = self.tier
            && !price.tiers.contains_key(tier)
        {
            unknown.push(format!("tier {tier}"));
        }
        if let Some(place) = self.geography
            && !price.geographies.contains_key(place)
        {
            unknown.push(format!("geography {place}"));
        }
        unknown
    }

    /// The product of all price multiples.
    pub fn price_factor(&self, price: &Price) -> f64 {
        let tier = self.tier.and_then(|tier| price.tiers.get(tier)).unwrap_or(&1.0);
        let geography = self.geography.and_then(|place| price.geographies.get(place)).unwrap_or(&1.0);
        tier * geography * self.of_hour(price)
    }

    fn of_hour(&self, price: &Price) -> f64 {
        let (Some(peak), Some(at)) = (&price.peak, self.hour) else { return 1.0 };
        let is_peak = peak.hours.iter().any(|[from, to]| (*from..*to).contains(&at.hour));
        if at.is_working_day() && is_peak { peak.times } else { 1.0 }
    }
}

impl Price {
    /// These prices, multiplied for a call's terms.
    pub fn on(self, terms: &Terms<'_>) -> Price {
        let factor = terms.price_factor(&self);
        if factor == 1.0 { self } else { self.multiply_by(factor) }
    }

    /// Multiplies all token prices. Results are rounded to six decimals.
    pub(super) fn multiply_by(self, factor: f64) -> Price {
        Price {
            input: multiply(self.input, factor),
            read: multiply(self.read, factor),
            write: self.write.map(|write| multiply(write, factor)),
            output: multiply(self.output, factor),
            long: self.long.map(|long| LongCache { write: multiply(long.write, factor), ..long }),
            above: self.above.map(|tier| Tier {
                input: multiply(tier.input, factor),
                read: multiply(tier.read, factor),
                output: multiply(tier.output, factor),
                ..tier
            }),
            ..self
        }
    }
}

fn multiply(price: f64, factor: f64) -> f64 {
    (price * factor * 1e6).round() / 1e6
}
