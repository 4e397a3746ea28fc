import SystemCalls

/// Waits for what a client waits for, as its caller's loop does.
func poll(_ interests: [PollInterest], for milliseconds: Int32?) -> [PollInterest] {
  var set = PollSet()
  for interest in interests { set.add(interest) }
  set.wait(atMost: milliseconds.map { Int64($0) })
  return interests.compactMap { set.found($0) }
}
