/// Placeholder for the module's first file.
enum PhoneSimModule {}
