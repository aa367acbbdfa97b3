import CSimulation
public import Foundation

/// The interface between an app and the simulator.
///
/// Outside a run nothing here has an effect, so the calls can stay in the app.
public enum Simulation {
  /// Whether this process is an app of a run.
  public static var isRunning: Bool { wristwire_simulation_is_on() != 0 }

  /// Records a fact: a line `app.NAME` of the run's trace, at this instant and in the order of the calls.
  ///
  /// A name or a field that the trace cannot contain is left out, and a line `app.finding` reports it.
  ///
  /// - Parameters:
  ///   - name: A letter, then letters, digits, `-` and `_`; at most 64 bytes. `act`, `finding` and `log` are taken.
  ///   - fields: The fact's fields; at most 100, and 16 KiB as JSON. Strings, numbers, Booleans, dates (as ISO 8601),
  ///     UUIDs, URLs, and arrays and dictionaries of these; anything else by its description. Numbers are
  ///     rounded to six decimal places. Not evaluated outside a run.
  public static func record(_ name: String, _ fields: @autoclosure () -> [String: Any?] = [:]) {
    guard isRunning else { return }
    var name = name
    var json = FactText.object(fields())
    name.withUTF8 { name in
      json.withUTF8 { json in
        name.withMemoryRebound(to: CChar.self) { name in
          json.withMemoryRebound(to: CChar.self) { json in
            _ = wristwire_simulation_record(name.baseAddress, name.count, json.baseAddress, json.count)
          }
        }
      }
    }
  }

  /// Reports a call of something that only a stub stands for, as a finding of the run by its name.
  ///
  /// A stub must not be silent: what the app would have got from the real one is missing in all that follows. Each name
  /// is reported once; no effect outside a run.
  public static func reportStub(_ name: String) {
    guard isRunning else { return }
    var name = name
    name.withUTF8 { name in
      name.withMemoryRebound(to: CChar.self) { wristwire_simulation_report_stub($0.baseAddress, $0.count) }
    }
  }

  /// Registers the handler of an act of the scenario, such as a tap on a button; a later handler of the same name
  /// replaces it.
  ///
  /// Register handlers before the app's `main` first waits: an act without a handler once the app is idle has no
  /// effect, and a line `app.finding` reports it.
  ///
  /// - Parameter handler: Called on the main queue, as a tap is.
  public static func onAct(_ name: String, _ handler: @escaping @MainActor @Sendable (Act) -> Void) {
    ActRegistry.shared.register(name, handler)
  }

  /// Registers a function that names messages that are `Data` but not JSON: their `kind` in the trace.
  ///
  /// Called for each such payload that this app sends or receives, if the scenario has `payload`.
  ///
  /// - Parameter namer: Returns the name, nil if there is none. It must not block, nor call the session. If it throws, the
  ///   payload has no name, and a line `app.finding` reports it.
  public static func nameData(_ namer: @escaping @Sendable (Data) throws -> String?) {
    PayloadNamer.shared.set(namer)
  }
}
