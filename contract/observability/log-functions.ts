/** Functions that the explorer offers while somebody types: those that people write by hand, in either dialect. */
export const logFunctions: Readonly<Record<'analytics' | 'columns', readonly string[]>> = {
  analytics:
    `abs any_value approx_quantiles avg ceil coalesce concat contains count countif current_timestamp date date_trunc
    datetime_trunc ends_with floor greatest ifnull least length lower max min mod nullif regexp_contains
    regexp_extract regexp_replace replace round safe_divide split starts_with string_agg strpos substr sum
    timestamp_add timestamp_diff timestamp_millis timestamp_seconds timestamp_sub timestamp_trunc trim unix_millis
    upper`.split(/\s+/),
  columns:
    `abs avg avgIf any_value ceil coalesce concat count countIf floor formatDateTime greatest if least length lower match max min
    now quantile replace round startsWith endsWith substring sum sumIf toDate toFloat64 toInt64 toStartOfDay
    toStartOfFifteenMinutes toStartOfFiveMinutes toStartOfHour toStartOfMinute toString toUnixTimestamp trim uniq
    upper`.split(/\s+/),
}
