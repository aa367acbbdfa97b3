@testable import LinkCheckers
import Link
import Testing

private func sent(_ id: Int, t: Int) -> String {
  "{\"t\":\(t),\"node\":\"watch\",\"event\":\"frame.sent\",\"id\":\(id),\"to\":\"phone\"}\n"
}

private func delivered(_ id: Int, t: Int, copy: Int = 0) -> String {
  "{\"t\":\(t),\"node\":\"link\",\"event\":\"frame.delivered\",\"id\":\(id),\"copy\":\(copy)}\n"
}

private func duplicated(_ id: Int, t: Int, copies: Int) -> String {
  "{\"t\":\(t),\"node\":\"link\",\"event\":\"frame.duplicated\",\"id\":\(id),\"copies\":\(copies)}\n"
}

@Suite struct `Fates of frames` {
  /// The checker's findings as text.
  private func found(_ lines: String) throws -> [String] {
    try judge(lines, checkers: [FrameFateChecker.self]).violations.map(\.detail)
  }

  @Test func `frames arrive in any order`() throws {
    let three = sent(1, t: 0) + sent(2, t: 1) + sent(3, t: 2)
    for order in [[1, 2, 3], [3, 2, 1], [2, 3, 1], [3, 1, 2]] {
      #expect(try found(three + order.map { delivered($0, t: 5) }.joined()) == [])
    }
    #expect(try found(sent(1, t: 0) + delivered(1, t: 1) + sent(2, t: 2) + delivered(2, t: 3)) == [])
  }

  @Test func `each frame that does not arrive is reported, including the last one`() throws {
    for missing in 1...3 {
      let arrived = (1...3).filter { $0 != missing }.map { delivered($0, t: 5) }.joined()
      let found = try found(sent(1, t: 0) + sent(2, t: 1) + sent(3, t: 2) + arrived)
      #expect(found == ["frame \(missing) lost track of 1 of its 1 copies: neither delivered nor dropped"])
    }
  }

  @Test func `a second fate is reported, for the last frame and for one before it`() throws {
    let two = sent(1, t: 0) + sent(2, t: 1) + delivered(1, t: 2) + delivered(2, t: 3)
    #expect(
      try found(two + delivered(2, t: 4)) == [
        "frame 2 got another fate (frame.delivered), but it had already been delivered or dropped"
      ])
    #expect(
      try found(two + delivered(1, t: 4)) == [
        "frame 1 got another fate (frame.delivered), but it had already been delivered or dropped"
      ])
    #expect(try found(two + delivered(3, t: 4)) == ["frame 3 has a fate (frame.delivered), but was never sent"])
  }

  @Test func `copies are counted, for the last frame and for one before it`() throws {
    for later in ["", sent(2, t: 1) + delivered(2, t: 2)] {
      let begin = sent(1, t: 0) + duplicated(1, t: 0, copies: 1) + later + delivered(1, t: 3)
      #expect(try found(begin + delivered(1, t: 4, copy: 1)) == [])
      #expect(try found(begin) == ["frame 1 lost track of 1 of its 2 copies: neither delivered nor dropped"])
      #expect(try found(begin + delivered(1, t: 4)).last == "copy 0 of frame 1 was delivered or dropped twice")
      #expect(
        try found(begin + delivered(1, t: 4, copy: 2)).last
          == "copy 2 of frame 1 was delivered or dropped, but was never made")
    }
  }
}
