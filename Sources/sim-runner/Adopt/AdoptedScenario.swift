/// The scenario of an adopted app.
struct AdoptedScenario {
  let package: AdoptedPackage
  /// The key of a message that names its kind, as far as the files show it.
  let kindKey: String?

  static let file = "drawn.json5"

  private struct Drawn {
    var hand: AppObjects.Hand
    var devices: [DeviceRole]
  }

  private var drawn: [Drawn] {
    var all: [Drawn] = []
    for device in package.devices {
      for hand in device.objects?.hands ?? [] {
        if let index = all.firstIndex(where: { $0.hand.name == hand.name && $0.hand.arguments == hand.arguments }) {
          all[index].devices.append(device.plan.role)
        } else {
          all.append(Drawn(hand: hand, devices: [device.plan.role]))
        }
      }
    }
    return Array(all.prefix(100))
  }

  /// What must only happen after an act, where one act alone can have begun it.
  private var expectations: [String] {
    // What is resumed has begun before: by an act that is not drawn.
    let begins = drawn.map(\.hand.name).filter { name in ["start", "begin", "toggle"].contains { name.hasPrefix($0) } }
    guard begins.count == 1, let act = begins.first else { return [] }
    return Set(package.devices.flatMap { $0.objects?.switches ?? [] }).sorted().map {
      "{ onlyAfter: \"app.\($0)\", act: \"\(act)\", where: { value: true } },"
    }
  }

  private static let order: [(verbs: [String], from: String, to: String)] = [
    (["start", "begin"], "resting", "running"), (["pause"], "running", "paused"), (["resume"], "paused", "running"),
    (["stop", "end", "finish"], "running", "resting"), (["stop", "end", "finish"], "paused", "resting"),
  ]

  private static func hasVerb(_ name: String, _ verbs: [String]) -> Bool {
    // Of two types with one name the second is `Link-stop`.
    let last = name.split(separator: "-").last.map(String.init) ?? name
    return verbs.contains { last == $0 || last.hasPrefix($0) && last.dropFirst($0.count).first?.isUppercase == true }
  }

  /// The order in which a screen offers what begins and ends something; empty without such acts.
  private var model: [String] {
    var names: [String] = []
    for one in drawn where !names.contains(one.hand.name) { names.append(one.hand.name) }
    func moves(from state: String) -> [String] {
      names.compactMap { name in
        let key = name.allSatisfy { $0.isLetter || $0.isNumber } ? name : "\"\(name)\""
        guard Self.order.contains(where: { Self.hasVerb(name, $0.verbs) }) else { return "\(key): \"\(state)\"" }
        let move = Self.order.first { $0.from == state && Self.hasVerb(name, $0.verbs) }
        return move.map { "\(key): \"\($0.to)\"" }
      }
    }
    func has(_ index: Int) -> Bool { names.contains { Self.hasVerb($0, Self.order[index].verbs) } }
    guard has(0), has(3) || has(1) else { return [] }
    var states = ["resting", "running"]
    if has(1) { states.append("paused") }
    let lines = states.map { "      \($0): { \(moves(from: $0).joined(separator: ", ")) }," }
    let about =
      "    // What is running is not started again, but by a press that comes twice: without `model`, at any time."
    return [about, "    model: {"] + lines + ["    },"]
  }

  var text: String {
    var lines = [
      AdoptedPackage.mark, "{", "  scenario: \"\(package.name.lowercased())-drawn\",",
      "  about: \"What users may do, drawn from the seed, over a link that breaks. Written by adopt: make it yours.\",",
      "  duration: \"3m\",", "  link: { profile: \"ble-running\" },",
    ]
    for device in package.devices {
      lines.append("  \(device.plan.role.rawValue): { command: \".build/debug/\(package.target(device.plan.role))\" },")
    }
    if let kindKey { lines.append("  payload: { name: \"$.\(kindKey)\" },") }
    if !drawn.isEmpty {
      lines += ["  acts: {", "    draw: ["]
      for one in drawn {
        let arguments = one.hand.arguments.isEmpty ? "" : ", with: { \(one.hand.arguments) }"
        let place = one.devices.count == 1 && package.devices.count > 1 ? ", on: \"\(one.devices[0].rawValue)\"" : ""
        lines.append("      { do: \"\(one.hand.name)\"\(arguments)\(place) },")
      }
      lines += ["    ],", "    every: \"2s..30s\","] + model + ["  },"]
    }
    lines += [
      "  // Faults of the link alone: add \"kill\" and \"suspend\" when these pass.",
      "  nemesis: {", "    kinds: [\"disconnect\", \"loss\", \"delay\", \"reorder\", \"duplicate\", \"oneWay\"],",
      "    meanInterval: \"20s\", meanDuration: \"8s\",", "  },",
    ]
    if !expectations.isEmpty { lines += ["  expect: ["] + expectations.map { "    " + $0 } + ["  ],"] }
    lines += [
      "  // The run must end as one with the same acts and without faults: name in `except` what may differ.",
      "  // Dates and ids that a screen shows are facts without their value, and never differ; what changes all the time is",
      "  // \"a live value\" until it rests.",
      "  // A handler that traps on the session's queue is named as such.",
      "  checks: { sameAsIdeal: {}, delegateIsolation: {} },", "}", "",
    ]
    return lines.joined(separator: "\n")
  }
}
