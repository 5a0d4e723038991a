/** The curve edwards25519 (RFC 8032, section 5.1), by textbook formulas: what goes into tables is computed with these. */

/** The field's prime p = 2^255 - 19. */
export const P = 2n ** 255n - 19n;

/** L, the order of the base point. */
export const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The d of -x² + y² = 1 + d·x²·y². */
export const D = modulo(-121665n * inverse(121666n));

export interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

export const NEUTRAL: Point = { x: 0n, y: 1n };

/** B: y = 4/5. */
export const BASE: Point = {
  x: 0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51an,
  y: modulo(4n * inverse(5n)),
};

export function modulo(number: bigint, modulus = P): bigint {
  const rest = number % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** 1/x mod p, by Fermat. */
export function inverse(x: bigint): bigint {
  let result = 1n;
  for (let square = modulo(x), rest = P - 2n; rest > 0n; rest >>= 1n, square = modulo(square * square)) {
    if (rest & 1n) result = modulo(result * square);
  }
  return result;
}

/** x = (x₁y₂ + x₂y₁)/(1 + d·x₁x₂y₁y₂), y = (y₁y₂ + x₁x₂)/(1 - d·x₁x₂y₁y₂): complete, no case is special. */
export function add(one: Point, other: Point): Point {
  const product = modulo(D * one.x * other.x * one.y * other.y);
  return {
    x: modulo((one.x * other.y + other.x * one.y) * inverse(1n + product)),
    y: modulo((one.y * other.y + one.x * other.x) * inverse(1n - product)),
  };
}

export function negate({ x, y }: Point): Point {
  return { x: modulo(-x), y };
}

export function multiply(scalar: bigint, point: Point): Point {
  let result = NEUTRAL;
  for (let power = point, rest = scalar; rest > 0n; rest >>= 1n, power = add(power, power)) {
    if (rest & 1n) result = add(result, power);
  }
  return result;
}
