import type { Project } from '#contract/projects'

/** What psql and every Postgres driver take. The password is the one chosen for the project; it is stored nowhere readable. */
export const connectionString = ({
  db_host,
  db_port,
}: Pick<Project, 'db_host' | 'db_port'>): string =>
  `postgresql://postgres:[YOUR-PASSWORD]@${db_host}:${db_port ?? 5432}/postgres`
