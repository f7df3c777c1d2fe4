//! Positions on the page.

/// A point or a distance on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Vector {
    pub(super) x: f32,
    pub(super) y: f32,
}

impl Vector {
    pub(super) fn minus(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }

    fn times(self, factor: f32) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
        }
    }

    pub(super) fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    pub(super) fn cross(self, other: Self) -> f32 {
        self.x * other.y - self.y * other.x
    }

    pub(super) fn length(self) -> f32 {
        self.x.hypot(self.y)
    }
}

/// How a PDF moves, scales and rotates what it draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Matrix {
    /// What a step to the right becomes, and a step up.
    right: Vector,
    up: Vector,
    /// Where the origin ends up.
    origin: Vector,
}

impl Matrix {
    pub(super) const IDENTITY: Self = Self::of([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Six numbers as they are written in a PDF.
    pub(super) const fn of(numbers: [f32; 6]) -> Self {
        Self {
            right: Vector {
                x: numbers[0],
                y: numbers[1],
            },
            up: Vector {
                x: numbers[2],
                y: numbers[3],
            },
            origin: Vector {
                x: numbers[4],
                y: numbers[5],
            },
        }
    }

    pub(super) const fn moved(x: f32, y: f32) -> Self {
        Self::of([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// First this one, then the other.
    pub(super) fn then(self, other: Self) -> Self {
        Self {
            right: other.distance(self.right),
            up: other.distance(self.up),
            origin: other.distance(self.origin).plus(other.origin),
        }
    }

    pub(super) const fn origin(self) -> Vector {
        self.origin
    }

    /// What a distance becomes.
    pub(super) fn distance(self, distance: Vector) -> Vector {
        self.right.times(distance.x).plus(self.up.times(distance.y))
    }

    /// What one step to the right becomes.
    pub(super) const fn right(self) -> Vector {
        self.right
    }

    /// How long one step up becomes.
    pub(super) fn scale(self) -> f32 {
        self.up.length()
    }
}
