import Foundation
import Link
import Testing
import WatchSim

@testable import TraceTools

/// Whatever a trace calls things, its exports are XML.
@Suite struct WellFormedTests {
  /// An accent makes one character of it and the `<` before it, and XML still sees an element.
  private static let names = [
    "</name></svg>", "a & b", "\"'>]]>", "<\u{301}b>", "&\u{200D};", "x\u{1}\u{1B}[31m", "\u{FFFE}\u{FFFF}",
    "\u{202E}gpx", "two\nlines\r\n", "grüß 🏃‍♂️",
  ]

  private static func trace(_ name: String) -> [UInt8] {
    var quoted = ""
    appendQuoted(name, to: &quoted)
    let scenario = String(quoted.dropFirst().dropLast())
    return HandTrace.bytes(
      [
        HandTrace.snapshot(distance: 1), HandTrace.sent(1, at: 1),
        #"{"t":1500000000,"node":"link","event":"frame.dropped","id":1,"copy":0,"cause":\#(quoted),"fault":\#(quoted)}"#,
        #"{"t":1600000000,"node":"phone","event":"run.refused","#
          + #""workoutId":"00000000-0000-4000-8000-000000000001","why":\#(quoted),"sentAt":0}"#,
      ], scenario: scenario)
  }

  @Test(arguments: ["gpx", "svg"], names) func `exports are well-formed for any name`(format: String, name: String)
    throws
  {
    let exported = try Exported(Self.trace(name), as: format)
    // XML 1.0, 2.2: a document may contain no other character.
    let forbidden = exported.text.unicodeScalars.filter { scalar in
      !(scalar == "\t" || scalar == "\n" || scalar == "\r" || (0x20...0xD7FF).contains(scalar.value)
        || (0xE000...0xFFFD).contains(scalar.value) || scalar.value >= 0x10000)
    }
    #expect(forbidden.isEmpty, "\(forbidden.map(\.value))")
    // A parser that knows nothing of us.
    guard let python = Installed.path("python3") else { return }
    let folder = try TemporaryFolder()
    let path = try folder.write("x.xml", exported.bytes)
    let program = "import sys,xml.dom.minidom as m; print(len(m.parse(sys.argv[1]).documentElement.tagName))"
    #expect(try Installed.output(python, ["-c", program, path]) == "3\n", "\(name.debugDescription)")
  }

  @Test func `a diagram in Mermaid keeps its own signs for itself`() {
    #expect(MermaidExporter.plain("<\u{301}#\u{301};\n") == "#lt;\u{301}#35;\u{301}#59;#92;u000A")
  }
}
