@testable import LinkCheckers
import Testing

@testable import Link

private func sent(_ id: Int, t: Int, to: String = "phone") -> String {
  "{\"t\":\(t),\"node\":\"watch\",\"event\":\"frame.sent\",\"id\":\(id),\"to\":\"\(to)\"}\n"
}

private func delivered(_ id: Int, t: Int, copy: Int = 0, on node: String = "link") -> String {
  "{\"t\":\(t),\"node\":\"\(node)\",\"event\":\"frame.delivered\",\"id\":\(id),\"copy\":\(copy)}\n"
}

private func dropped(_ id: Int, t: Int, _ cause: String, by fault: String? = nil) -> String {
  let fault = fault.map { ",\"fault\":\"\($0)\"" } ?? ""
  return
    "{\"t\":\(t),\"node\":\"link\",\"event\":\"frame.dropped\",\"id\":\(id),\"copy\":0,\"cause\":\"\(cause)\"\(fault)}\n"
}

private func link(_ event: String, t: Int, on node: String = "link") -> String {
  "{\"t\":\(t),\"node\":\"\(node)\",\"event\":\"link.\(event)\",\"cause\":\"x\"}\n"
}

private func fault(_ event: String, _ id: String, t: Int) -> String {
  "{\"t\":\(t),\"node\":\"link\",\"event\":\"fault.\(event)\",\"fault\":\"\(id)\",\"kind\":\"loss\"}\n"
}

private func passage(_ lines: String) throws -> [Violation] {
  try judge(lines, checkers: [PassageChecker.self]).violations
}

@Suite struct `a link that is down, judged` {
  @Test func `frames pass before and after a cut`() throws {
    let lines = sent(1, t: 0) + delivered(1, t: 5) + link("down", t: 6) + link("up", t: 7) + sent(2, t: 7)
    #expect(try passage(lines + delivered(2, t: 9)) == [])
  }

  @Test func `a frame in flight when the link goes down does not arrive, up again or not`() throws {
    let cut = sent(1, t: 0) + link("down", t: 1)
    #expect(try passage(cut + delivered(1, t: 5)).map(\.lines) == [[2, 3, 4]])
    #expect(try passage(cut + link("up", t: 2) + delivered(1, t: 5)).map(\.lines) == [[2, 3, 5]])
    #expect(try passage(cut + dropped(1, t: 5, "disconnected")) == [])
  }

  @Test func `a frame sent into a cut does not arrive either`() throws {
    let cut = link("down", t: 1) + sent(1, t: 2) + link("up", t: 3)
    #expect(try passage(cut + delivered(1, t: 5)).map(\.lines) == [[2, 3, 5]])
  }

  @Test func `at the instant of the cut nothing arrives, before or after its line`() throws {
    #expect(try passage(sent(1, t: 0) + link("down", t: 5) + delivered(1, t: 5)).count == 1)
    #expect(try passage(sent(1, t: 0) + delivered(1, t: 5) + link("down", t: 5)).count == 1)
    #expect(try passage(sent(1, t: 0) + delivered(1, t: 4) + link("down", t: 5)) == [])
  }

  @Test func `the uplink has its own cuts`() throws {
    let cut = sent(1, t: 0, to: "edge") + link("down", t: 1)
    #expect(try passage(cut + delivered(1, t: 5, on: "uplink")) == [])
    let own = sent(1, t: 0, to: "edge") + link("down", t: 1, on: "uplink")
    #expect(try passage(own + delivered(1, t: 5, on: "uplink")).count == 1)
  }

  @Test func `a drop names an active fault`() throws {
    let on = fault("begin", "f", t: 1) + sent(1, t: 2)
    #expect(try passage(on + dropped(1, t: 2, "loss", by: "f")) == [])
    #expect(try passage(on + dropped(1, t: 2, "loss", by: "g")).map(\.lines) == [[3, 4]])
    #expect(try passage(on + dropped(1, t: 2, "loss")) == [], "the radio's own losses name none")
    #expect(try passage(sent(1, t: 0) + dropped(1, t: 0, "loss", by: "f") + fault("begin", "f", t: 1)).count == 1)
  }

  @Test func `an ended fault only drops frames in flight, and loses none`() throws {
    let over = fault("begin", "f", t: 0) + sent(1, t: 1) + fault("end", "f", t: 2)
    #expect(try passage(over + dropped(1, t: 5, "disconnected", by: "f")) == [])
    #expect(try passage(over + dropped(1, t: 5, "loss", by: "f")).map(\.lines) == [[3, 4, 5]])
    #expect(try passage(over + sent(2, t: 3) + dropped(2, t: 5, "disconnected", by: "f")).count == 1)
  }

  @Test func `a drop by a forgotten fault is not a violation`() throws {
    var lines = sent(1, t: 0)
    for number in 0..<100 { lines += fault("begin", "f\(number)", t: 1) + fault("end", "f\(number)", t: 1) }
    #expect(try passage(lines + dropped(1, t: 5, "disconnected", by: "f3")) == [])
    let later = lines + sent(2, t: 2)
    #expect(try passage(later + dropped(2, t: 5, "disconnected", by: "f99")).count == 1)
  }
}

@Suite struct `the order at an instant, judged` {
  private func order(_ lines: String) throws -> [[Int]] {
    try judge(lines, checkers: [InstantOrderChecker.self]).violations.map(\.lines)
  }

  private let three = sent(1, t: 0) + sent(2, t: 0) + sent(3, t: 1)

  @Test func `arrivals of one instant come in the order of sending, copies in theirs`() throws {
    let lines = three + delivered(1, t: 5) + delivered(1, t: 5, copy: 2) + delivered(3, t: 5)
    #expect(try order(lines) == [])
    #expect(try order(three + delivered(3, t: 5) + delivered(1, t: 5)) == [[5, 6]])
    #expect(try order(three + delivered(1, t: 5, copy: 1) + delivered(1, t: 5)) == [[5, 6]])
  }

  @Test func `at different instants a frame may overtake another`() throws {
    #expect(try order(three + delivered(3, t: 5) + delivered(1, t: 6)) == [])
  }

  @Test func `frames count from 1, one by one`() throws {
    #expect(try order(sent(2, t: 0)) == [[2]])
    #expect(try order(sent(1, t: 0) + sent(3, t: 0)) == [[3]])
    #expect(try order(sent(1, t: 0) + sent(1, t: 0)) == [[3]])
  }
}
