/** The libraries that a server loads at its start: ours, and those of builds that ask for it. */
export const preloadSetting = (libraries: readonly string[] = []): string =>
  ['pg_stat_statements', ...libraries].join(',')
