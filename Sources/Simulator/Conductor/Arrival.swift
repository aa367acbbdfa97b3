import Link

/// The copy of a frame that arrives at a node; the frame itself is among the inputs.
struct Arrival {
  var id: UInt64
  var copy: Int
  /// The index of its link.
  var link: Int
}
