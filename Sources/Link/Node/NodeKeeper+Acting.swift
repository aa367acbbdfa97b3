/// A node whose app acts by itself, and not only on what a grant brings.
extension NodeKeeper {
  /// Has the node act, and carries out what concerns its store and its files.
  ///
  /// What is left in the output are frames and lines, for the answer to the next grant. The host calls ``endGrant()``
  /// before it tells anybody that the act is durable.
  ///
  /// - Parameter body: May call the machine as often as it likes; changes of the app are numbered over all of it.
  /// - Returns: What the body returned, and the armed crash point at which the node stopped, with which the output then
  ///   ends; nil for none.
  public mutating func act<Result>(
    at now: VirtualTime, into output: inout NodeOutput, _ body: (inout Node, inout NodeOutput) -> Result
  ) throws(StoreError) -> (result: Result, stoppedAt: CrashPoint?) {
    let first = output.items.count
    let result = body(&machine, &output)
    return (result, try carryOut(from: first, at: now, into: &output))
  }

  /// Looks at the node, or changes what of it orders nothing.
  public mutating func withNode<Result>(_ body: (inout Node) -> Result) -> Result { body(&machine) }
}
