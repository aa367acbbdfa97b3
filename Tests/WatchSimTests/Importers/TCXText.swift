/// TCX documents for tests: a point a second from 2026-04-12T06:30:00Z on.
enum TCXText {
  static func time(_ second: Int) -> String {
    let clock = 6 * 3_600 + 30 * 60 + second
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "2026-04-12T\(two(clock / 3_600)):\(two(clock / 60 % 60)):\(two(clock % 60))Z"
  }

  static func point(_ second: Int, metres: Int, rate: Int = 140, more: String = "") -> String {
    """
    <Trackpoint><Time>\(time(second))</Time><DistanceMeters>\(metres)</DistanceMeters>
    <HeartRateBpm><Value> \(rate) </Value></HeartRateBpm>\(more)</Trackpoint>
    """
  }

  static func lap(_ start: Int, seconds: Int, metres: Int, _ tracks: [[String]]) -> String {
    """
    <Lap StartTime="\(time(start))"><TotalTimeSeconds>\(seconds)</TotalTimeSeconds>
    <DistanceMeters>\(metres)</DistanceMeters><TriggerMethod>Manual</TriggerMethod>
    \(tracks.map { "<Track>\($0.joined())</Track>" }.joined())</Lap>
    """
  }

  static func activity(_ sport: String = "Running", laps: [String]) -> String {
    "<Activity Sport=\"\(sport)\"><Id>\(time(0))</Id>\(laps.joined())<Creator><Name>A watch</Name></Creator></Activity>"
  }

  static func activity(_ sport: String = "Running", points: [String]) -> String {
    activity(
      sport, laps: [lap(0, seconds: points.count - 1, metres: 3 * (points.count - 1), [points])])
  }

  static func document(_ activities: [String]) -> [UInt8] {
    Array(
      """
      <?xml version="1.0"?>
      <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
      <Activities>\(activities.joined())</Activities></TrainingCenterDatabase>
      """.utf8)
  }
}

/// Health exports for tests: from 2026-04-12 08:30:00 +0200 on.
enum HealthText {
  static func date(_ second: Int) -> String {
    let clock = 8 * 3_600 + 30 * 60 + second
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "2026-04-12 \(two(clock / 3_600)):\(two(clock / 60 % 60)):\(two(clock % 60)) +0200"
  }

  static func record(
    _ type: String, _ value: String, unit: String, _ from: Int, _ to: Int, source: String = "A Watch"
  ) -> String {
    """
    <Record type="HKQuantityTypeIdentifier\(type)" sourceName="\(source)" unit="\(unit)" startDate="\(date(from))" \
    endDate="\(date(to))" value="\(value)"/>\n
    """
  }

  static func rates(_ seconds: Int) -> String {
    (0..<seconds).map { record("HeartRate", "\(120 + $0 % 40)", unit: "count/min", $0, $0) }.joined()
  }

  static func distances(_ seconds: Int) -> String {
    (0..<seconds).map { record("DistanceWalkingRunning", "0.003", unit: "km", $0, $0 + 1) }.joined()
  }

  static func event(_ type: String, _ second: Int) -> String {
    "<WorkoutEvent type=\"HKWorkoutEventType\(type)\" date=\"\(date(second))\"/>"
  }

  static func workout(
    seconds: Int, metres: Int, at start: Int = 0, sport: String = "Running", source: String = "A Watch",
    timer: Int? = nil, more: String = ""
  ) -> String {
    """
    <Workout workoutActivityType="HKWorkoutActivityType\(sport)" duration="\(Double(timer ?? seconds) / 60)" \
    durationUnit="min" sourceName="\(source)" startDate="\(date(start))" endDate="\(date(start + seconds))">\(more)
    <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" startDate="\(date(start))" \
    endDate="\(date(start + seconds))" sum="\(Double(metres) / 1_000)" unit="km"/></Workout>\n
    """
  }

  static func document(_ content: String, doctype: String = "") -> [UInt8] {
    Array(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(doctype)<HealthData locale=\"de_DE\">\n\(content)</HealthData>\n"
        .utf8)
  }
}
