//! Which documents of a segment may be found.

use model::Timestamp;
use tantivy::DocId;
use tantivy::columnar::StrColumn;

use crate::error::Result;
use crate::request::Filters;
use crate::schema::category_number;
use crate::view::Columns;

/// The filters of a request, prepared for one segment.
pub(super) struct SegmentFilter<'a> {
    columns: &'a Columns,
    as_of: Option<i64>,
    /// One bit per category, all set if any category will do.
    categories: u64,
    min_confidence: Option<f64>,
    min_bias: Option<f64>,
    max_bias: Option<f64>,
    from: Option<i64>,
    to: Option<i64>,
    /// Numbers of the domains in this segment, sorted.
    include: Option<Vec<u64>>,
    exclude: Vec<u64>,
}

impl<'a> SegmentFilter<'a> {
    /// None if no document in the segment can pass.
    pub(super) fn new(
        columns: &'a Columns,
        filters: &Filters,
        as_of: Option<Timestamp>,
    ) -> Result<Option<Self>> {
        let include = if filters.include_sources.is_empty() {
            None
        } else {
            let numbers = numbers(columns.domains.as_ref(), &filters.include_sources)?;
            if numbers.is_empty() {
                return Ok(None);
            }
            Some(numbers)
        };
        let categories = match filters.categories.as_slice() {
            [] => u64::MAX,
            chosen => chosen
                .iter()
                .fold(0, |bits, category| bits | 1 << category_number(*category)),
        };
        Ok(Some(Self {
            columns,
            as_of: as_of.map(Timestamp::ms),
            categories,
            min_confidence: filters.min_confidence,
            min_bias: filters.min_bias,
            max_bias: filters.max_bias,
            from: filters.from.map(Timestamp::ms),
            to: filters.to.map(Timestamp::ms),
            include,
            exclude: numbers(columns.domains.as_ref(), &filters.exclude_sources)?,
        }))
    }

    pub(super) fn passes(&self, document: DocId) -> bool {
        self.is_known(document) && self.is_in_bounds(document) && self.has_right_sources(document)
    }

    fn is_known(&self, document: DocId) -> bool {
        let known_to = self.columns.known_to.get_val(document);
        match self.as_of {
            None => known_to == Timestamp::END.ms(),
            Some(time) => time < known_to && self.columns.known_from.get_val(document) <= time,
        }
    }

    fn is_in_bounds(&self, document: DocId) -> bool {
        let columns = self.columns;
        (self.categories == u64::MAX || self.has_chosen_category(document))
            && self
                .min_confidence
                .is_none_or(|least| columns.confidence.get_val(document) >= least)
            && self
                .min_bias
                .is_none_or(|least| columns.bias.get_val(document) >= least)
            && self
                .max_bias
                .is_none_or(|most| columns.bias.get_val(document) <= most)
            && self
                .from
                .is_none_or(|from| columns.published.get_val(document) >= from)
            && self
                .to
                .is_none_or(|to| columns.published.get_val(document) < to)
    }

    fn has_chosen_category(&self, document: DocId) -> bool {
        let number = self.columns.category.get_val(document);
        number < u64::from(u64::BITS) && self.categories >> number & 1 == 1
    }

    fn has_right_sources(&self, document: DocId) -> bool {
        if self.include.is_none() && self.exclude.is_empty() {
            return true;
        }
        let Some(domains) = &self.columns.domains else {
            return self.include.is_none();
        };
        let has_any = |numbers: &[u64]| {
            domains
                .term_ords(document)
                .any(|number| numbers.binary_search(&number).is_ok())
        };
        self.include.as_deref().is_none_or(has_any)
            && (self.exclude.is_empty() || !has_any(&self.exclude))
    }
}

/// The numbers by which a segment knows these domains, sorted; unknown domains have none.
fn numbers(column: Option<&StrColumn>, domains: &[String]) -> Result<Vec<u64>> {
    let mut numbers = Vec::new();
    if let Some(column) = column {
        for domain in domains {
            let domain = domain.trim().to_lowercase();
            numbers.extend(
                column
                    .dictionary()
                    .term_ord(&domain)
                    .map_err(tantivy::TantivyError::from)?,
            );
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}
