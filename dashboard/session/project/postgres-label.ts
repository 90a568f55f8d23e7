/** 'postgresql-17.10' as 'Postgres 17.10'; a version ending in orioledb says so. */
export function postgresLabel(dbVersion: string): string {
  const version = /\d+(?:\.\d+)?/.exec(dbVersion)?.[0]
  const engine = dbVersion.endsWith('orioledb') ? 'OrioleDB' : 'Postgres'
  return version ? `${engine} ${version}` : engine
}
