//! What an operation takes: arguments, and for some a body.

use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use crate::arguments::Arguments;
use crate::checked::{Checked, Faults, in_json_words, parse_body};
use crate::error::{Error, Result};
use crate::field::Field;

/// What can be read from arguments.
pub trait Parameters: Sized + Send + Sync + 'static {
    /// Reads and checks; faults are noted in `arguments`, and the value is then not used. Every argument is read in every
    /// call, so that all of them are described.
    fn read(arguments: &mut Arguments<'_>) -> Self;
}

impl Parameters for () {
    fn read(_: &mut Arguments<'_>) {}
}

/// The checked input of an operation.
pub trait Input: Sized + Send + Sync + 'static {
    /// What it takes.
    fn describe() -> Description;

    /// From what a request carries. `body` is empty where the operation takes none.
    fn of_request(arguments: Arguments<'_>, body: &[u8]) -> Result<Self>;

    /// From one JSON object with the arguments and the fields of the body.
    fn of_object(object: &Map<String, Value>) -> Result<Self>;
}

/// What an operation takes, as the document states it.
#[derive(Clone)]
pub struct Description {
    /// Variables of the path and parameters of the query.
    pub fields: Vec<Field>,
    /// The body.
    pub body: Option<Shape>,
}

/// A shape of the document: what a body or an answer is made of.
#[derive(Clone)]
pub struct Shape {
    /// Name of the shape.
    pub name: String,
    /// The shape.
    pub schema: RefOr<Schema>,
    /// The shapes that it is made of.
    pub parts: Vec<(String, RefOr<Schema>)>,
}

impl Shape {
    /// That of a type.
    pub(crate) fn of<T: ToSchema>() -> Self {
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        Self {
            name: T::name().into_owned(),
            schema: T::schema(),
            parts,
        }
    }
}

impl<T: Parameters> Input for T {
    fn describe() -> Description {
        Description {
            fields: Arguments::describe(T::read),
            body: None,
        }
    }

    fn of_request(mut arguments: Arguments<'_>, _: &[u8]) -> Result<Self> {
        let value = T::read(&mut arguments);
        arguments.finish()?;
        Ok(value)
    }

    fn of_object(object: &Map<String, Value>) -> Result<Self> {
        Self::of_request(Arguments::of_object(object), &[])
    }
}

/// Arguments and a JSON body.
#[derive(Clone, Debug)]
pub struct Posted<P, B> {
    /// The arguments.
    pub parameters: P,
    /// The body.
    pub body: B,
}

impl<P: Parameters, B: Checked + ToSchema + Send + Sync + 'static> Input for Posted<P, B> {
    fn describe() -> Description {
        Description {
            fields: Arguments::describe(P::read),
            body: Some(Shape::of::<B>()),
        }
    }

    fn of_request(mut arguments: Arguments<'_>, body: &[u8]) -> Result<Self> {
        let parameters = P::read(&mut arguments);
        arguments.finish()?;
        let body = parse_body(body)?;
        Ok(Self { parameters, body })
    }

    fn of_object(object: &Map<String, Value>) -> Result<Self> {
        let mut arguments = Arguments::of_object(object);
        let parameters = P::read(&mut arguments);
        arguments.finish()?;
        let body: B =
            serde_path_to_error::deserialize(Value::Object(object.clone())).map_err(|fault| {
                let what = in_json_words(&fault.inner().to_string());
                match fault.path().to_string().as_str() {
                    // A field that is missing has no path of its own.
                    "." => Error::invalid(what),
                    path => Error::invalid(format!("{path}: {what}")),
                }
            })?;
        let mut faults = Faults::default();
        body.check(&mut faults);
        faults.finish()?;
        Ok(Self { parameters, body })
    }
}
