/// A node whose app acts by itself, not only on the inputs of a grant.
extension NodeKeeper {
  /// Lets the node act, and carries out its orders for store and files.
  ///
  /// The turn then contains only frames and lines, for the answer to the next grant. The host calls ``endGrant()``
  /// before it reports the act as durable.
  ///
  /// - Parameters:
  ///   - turn: Receives frames, lines and changes for the store.
  ///   - body: May call the machine repeatedly; changes of the app are numbered over all calls.
  /// - Returns: The result of `body`, and the armed crash point at which the node stopped, which ends the orders; nil
  ///   for none.
  public mutating func act<Result>(
    in turn: inout Turn, _ body: (inout Node, inout Turn) -> Result
  ) throws(StoreError) -> (result: Result, stoppedAt: CrashPoint?) {
    let first = turn.items.count
    let result = body(&machine, &turn)
    return (result, try carryOut(from: first, in: &turn))
  }

  /// Reads the node, or changes it without orders.
  public mutating func withNode<Result>(_ body: (inout Node) -> Result) -> Result { body(&machine) }
}
