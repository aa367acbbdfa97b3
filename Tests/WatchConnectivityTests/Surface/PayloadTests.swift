import Foundation
import Testing

@testable import WatchConnectivity

/// Dictionaries as bytes, and back.
@Suite struct `Payloads` {
  @Test func `what a property list can say arrives as it was`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 12_345.5)
    let sent: [String: Any] = [
      "text": "äö", "int": 42, "real": 1.5, "flag": true, "data": Data([1, 2]), "date": date,
      "list": [1, "two", [3.0]] as [Any], "map": ["inner": ["deep": 1]],
    ]
    let got = try #require(Payload.bytes(of: sent).flatMap { Payload.dictionary($0) })
    #expect(got["text"] as? String == "äö")
    #expect(got["int"] as? Int == 42)
    #expect(got["real"] as? Double == 1.5)
    #expect(got["flag"] as? Bool == true)
    #expect(got["data"] as? Data == Data([1, 2]))
    #expect(got["date"] as? Date == date)
    #expect((got["list"] as? [Any])?.count == 3)
    #expect((got["map"] as? [String: [String: Int]])?["inner"]?["deep"] == 1)
  }

  @Test func `a number can be taken as any type that holds it`() throws {
    let got = try #require(Payload.bytes(of: ["n": 5, "b": true]).flatMap { Payload.dictionary($0) })
    #expect(got["n"] as? Double == 5)
    #expect(got["n"] as? TimeInterval == 5)
    #expect(got["n"] as? Int64 == 5)
    #expect(got["n"] as? NSNumber == 5)
    #expect(got["b"] as? Int == 1)
  }

  @Test func `a number can be taken, and sent, as a CGFloat`() throws {
    let sent: [String: Any] = ["half": 0.5, "n": 5, "width": CGFloat(1.25), "list": [CGFloat(2.5)]]
    let got = try #require(Payload.bytes(of: sent).flatMap { Payload.dictionary($0) })
    #expect(got["half"] as? CGFloat == 0.5)
    #expect(got["n"] as? CGFloat == 5)
    #expect(got["width"] as? Double == 1.25)
    #expect(got["list"] as? [CGFloat] == [2.5])
    #expect(got["list"] as? [Double] == [2.5])
    #expect("five" as Any as? CGFloat == nil)
  }

  @Test func `numbers over 63 bits go through`() throws {
    let got = try #require(Payload.bytes(of: ["n": UInt64.max]).flatMap { Payload.dictionary($0) })
    #expect((got["n"] as? NSNumber)?.uint64Value == UInt64.max)
  }

  @Test func `plain values have the bytes that Foundation's writer gives`() throws {
    let date = Date(timeIntervalSinceReferenceDate: -0.1)
    let plain: [String: Any] = [
      "": "", "text": "äö𝛼\u{0}", "long": String(repeating: "x", count: 300), "zero": 0, "least": Int.min,
      "most": Int.max,
      "one": 1, "same": 1.0, "tenth": 0.1, "infinite": -Double.infinity, "yes": true, "no": false, "date": date,
      "data": Data([1, 2, 3]).dropFirst(), "none": Data(),
      "list": [1, "two", [3.5, ["deep": true] as [String: Any]] as [Any]] as [Any],
      "empty": [] as [Any], "map": [:] as [String: Any],
    ]
    #expect(Payload.bytes(of: plain) == Payload.foundationBytes(of: plain))
    for (key, value) in plain {
      #expect(Payload.bytes(of: [key: value]) == Payload.foundationBytes(of: [key: value]), "\(key)")
    }
    // Types that are not compared exactly: Foundation's own, and collections of them.
    let others: [String: Any] = [
      "flag": NSNumber(value: true), "half": Float(0.5), "words": ["a", "b"], "small": UInt8(7), "map": ["a": 1],
    ]
    #expect(Payload.bytes(of: others) == Payload.foundationBytes(of: others))
    #expect(Payload.bytes(of: ["flag": NSNumber(value: true)]) == Payload.bytes(of: ["flag": true]))
  }

  @Test func `equal dictionaries have equal bytes`() {
    let names = (0..<40).map { "key\($0)" }
    let first = Dictionary(uniqueKeysWithValues: names.map { ($0, 1 as Any) })
    let second = Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, 1 as Any) })
    #expect(Payload.bytes(of: first) == Payload.bytes(of: second))
    #expect(Payload.bytes(of: ["m": first]) == Payload.bytes(of: ["m": second]))
  }

  @Test func `what is no property list is refused`() {
    #expect(Payload.bytes(of: ["x": NSNull()]) == nil)
    #expect(Payload.bytes(of: ["x": URL(fileURLWithPath: "/")]) == nil)
    #expect(Payload.bytes(of: ["x": UUID()]) == nil)
    #expect(Payload.bytes(of: ["x": Int?.none as Any]) == nil)
    #expect(Payload.bytes(of: ["x": ["y": NSNull()]]) == nil)
  }

  @Test func `bytes that are no dictionary are none`() {
    #expect(Payload.dictionary([]) == nil)
    #expect(Payload.dictionary(Array("garbage".utf8)) == nil)
  }
}
