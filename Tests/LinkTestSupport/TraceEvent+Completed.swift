public import Link

extension TraceEvent {
  /// The same event with the fields that its kind always has and this line lacks, so that a test states only what it is about.
  ///
  /// A number is 0, a text is empty, a word is the first one; a frame is an `ack`, which concerns the fewest checkers.
  public var completed: TraceEvent {
    guard let kind = EventCatalog.entry(name) else { return self }
    var fields = self.fields
    for field in kind.fields where !field.isOptional && self[field.key] == nil {
      let value: TraceValue =
        switch field.shape {
        case _ where field.isNullable: .null
        case _ where name == FrameSent.name && field.key == "kind": .string(Frame.Kind.ack.text)
        case .integer, .number: .int(0)
        case .boolean: .bool(false)
        case .text: .string("")
        case .identifier: .uuid(high: 0, low: 0)
        case .digest: .hex(0)
        case .json: .json("[]")
        case .anything: .null
        case .words(let words): .string(words[0])
        }
      fields.append(.init(field.key, value))
    }
    return with(fields: fields)
  }

  /// The same event with other fields, as if its line had been read.
  public func with(fields: [Field]) -> TraceEvent { TraceEvent(name, at: time, on: place, fields) }
}
