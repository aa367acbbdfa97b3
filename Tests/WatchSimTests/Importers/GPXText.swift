// GPX documents for tests.

enum GPXText {
  /// One point, `second` seconds after 2026-04-12T06:30:00Z and `north` ten-thousandths of a degree (about 11.1 m each) north of 50.
  static func point(_ second: Int?, north: Int, extra: String = "") -> String {
    let ten = String(north % 10_000)
    let latitude = "50." + String(repeating: "0", count: 4 - ten.count) + ten
    let time = second.map { "<time>2026-04-12T06:\(two(30 + $0 / 60)):\(two($0 % 60))Z</time>" } ?? ""
    return "<trkpt lat=\"\(latitude)\" lon=\"8.5\"><ele>100.5</ele>\(time)\(extra)</trkpt>"
  }

  /// A document with one track.
  static func document(_ segments: [[String]], type: String? = "running", before: String = "") -> [UInt8] {
    let track = segments.map { "<trkseg>\n" + $0.joined(separator: "\n") + "\n</trkseg>" }.joined(separator: "\n")
    let typeElement = type.map { "<type>\($0)</type>" } ?? ""
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      \(before)<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
      <trk><name>n</name>\(typeElement)
      \(track)
      </trk>
      </gpx>
      """.utf8)
  }

  /// Heart rate and cadence as Garmin writes them.
  static func extensions(heartRate: Int, cadence: Int) -> String {
    "<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>\(heartRate)</gpxtpx:hr>"
      + "<gpxtpx:cad>\(cadence)</gpxtpx:cad></gpxtpx:TrackPointExtension></extensions>"
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}
