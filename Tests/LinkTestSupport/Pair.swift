import Link
