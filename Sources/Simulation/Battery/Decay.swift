/// The share of a decaying quantity that is gone after a time: 1 - exp(-x), for `x` the time in
/// units of its time constant.
///
/// By basic arithmetic only, which is the same to the last bit on every machine; a C library's
/// `exp` is not.
func decayedShare(_ x: Double) -> Double {
  guard x > 0 else { return 0 }
  // exp(-40) is below the last bit of 1.
  guard x < 40 else { return 1 }
  var part = x
  var doublings = 0
  while part > 0.125 {
    part /= 2
    doublings += 1
  }
  // x - x²/2! + x³/3! - …; what is left out is below (1/8)¹¹ / 11!, 3e-18.
  var share = 0.0
  for term in stride(from: 10.0, to: 0, by: -1) { share = part / term * (1 - share) }
  // What is left after twice the time is the square of what is left now.
  for _ in 0..<doublings { share *= 2 - share }
  return share
}
