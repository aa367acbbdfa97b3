public import Link

/// Identifies the phone's clock, so that its readings cannot be compared with another clock's.
public enum PhoneClock {}

/// A reading of the phone's clock: the `sentAt` of its commands.
public typealias PhoneTime = NodeTime<PhoneClock>
