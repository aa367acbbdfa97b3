import Foundation
import Link

// Functions that cross to C libraries which nothing links: those of a preloaded library, and ours for
// Sources/CSimulation.

/// Looks up functions of libraries in this process by name.
struct ForeignFunctions {
  /// `wwvt_take_finding`: instant, kind and its size, text and its size.
  typealias FindingReader =
    @convention(c) (
      UnsafeMutablePointer<Int64>?, UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, Int
    ) -> Int32

  /// The function of a name; nil if no library has it.
  ///
  /// The caller knows its type.
  func callAsFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: type) }
  }
}

/// Whether this process is an app of a run; called by Sources/CSimulation.
@_cdecl("wristwire_session_is_on") public func sessionIsOn() -> Int32 {
  ProcessSession.isInRun && !ProcessSession.shared.runtime.isWithoutRun ? 1 : 0
}

/// Records a fact; called by Sources/CSimulation.
@_cdecl("wristwire_session_record")
public func recordFact(_ name: UnsafePointer<CChar>?, _ nameCount: Int, _ json: UnsafePointer<CChar>?, _ jsonCount: Int)
  -> Int32
{
  guard sessionIsOn() == 1 else { return 0 }
  ProcessSession.shared.runtime.record(
    name: String(decoding: bytes(name, nameCount), as: UTF8.self), json: bytes(json, jsonCount))
  return 1
}

/// Records a line of the app's log; called by Sources/CSimulation.
@_cdecl("wristwire_session_log")
public func recordLog(
  _ level: UnsafePointer<CChar>?, _ levelCount: Int, _ subsystem: UnsafePointer<CChar>?, _ subsystemCount: Int,
  _ category: UnsafePointer<CChar>?, _ categoryCount: Int, _ text: UnsafePointer<CChar>?, _ textCount: Int
) -> Int32 {
  guard sessionIsOn() == 1 else { return 0 }
  var line = AppLogged()
  line.level = AppLogLevel(rawValue: string(level, levelCount)) ?? .notice
  line.subsystem = name(subsystem, subsystemCount)
  line.category = name(category, categoryCount)
  line.text = string(text, min(textCount, AppLogged.textBytesMax))
  ProcessSession.shared.runtime.record(line)
  return 1
}

/// Reports a call of a stub; called by Sources/CSimulation.
@_cdecl("wristwire_session_report_stub")
public func reportStub(_ name: UnsafePointer<CChar>?, _ nameCount: Int) {
  DeviceServices.report("stub", "the app calls \(string(name, min(nameCount, 1_024))), which is a stub")
}

private func bytes(_ pointer: UnsafePointer<CChar>?, _ count: Int) -> [UInt8] {
  Array(UnsafeRawBufferPointer(start: pointer, count: pointer == nil ? 0 : count))
}

/// The text without a character that the limit has cut in two.
private func string(_ pointer: UnsafePointer<CChar>?, _ count: Int) -> String {
  let all = bytes(pointer, count)
  let cut = (0..<4).first { String(validating: all.dropLast($0), as: UTF8.self) != nil } ?? 0
  return String(decoding: all.dropLast(cut), as: UTF8.self)
}

/// A subsystem or a category; nil for an empty one.
private func name(_ pointer: UnsafePointer<CChar>?, _ count: Int) -> String? {
  count == 0 ? nil : string(pointer, min(count, AppLogged.nameBytesMax))
}
