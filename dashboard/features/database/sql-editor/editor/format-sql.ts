import { formatDialect, postgresql } from 'sql-formatter'

/** The text with its lines broken as people do. Throws for what is not SQL. Loaded when it is first asked for. */
export const formatSql = (sql: string): string =>
  formatDialect(sql, { dialect: postgresql, keywordCase: 'preserve', tabWidth: 2 })
