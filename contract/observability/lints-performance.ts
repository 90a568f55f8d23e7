import type { LintRule } from './lint-rule.ts'

const manual = 'https://www.postgresql.org/docs/17'

/** The rules of the performance advisor, by name. */
export const performanceLints = {
  unindexed_foreign_keys: {
    title: 'Foreign key without an index',
    level: 'INFO',
    description:
      'No index begins with the columns of the foreign key. Joins along it, and every delete or key change in the referenced table, read the whole table.',
    help: 'Create an index on the columns of the foreign key.',
    link: `${manual}/ddl-constraints.html#DDL-CONSTRAINTS-FK`,
  },
  auth_rls_initplan: {
    title: 'Policy that asks who is calling for every row',
    level: 'WARN',
    description:
      'The policy calls auth.uid(), auth.jwt() or current_setting() once for each row, though the answer is the same for all of them.',
    help: 'Put the call into a subquery, as (select auth.uid()), which runs once for the whole statement.',
    link: `${manual}/ddl-rowsecurity.html`,
  },
  no_primary_key: {
    title: 'Table without a primary key',
    level: 'INFO',
    description:
      'Without a primary key single rows cannot be addressed safely, and updates and deletes of the table cannot be replicated.',
    help: 'Add a primary key.',
    link: `${manual}/ddl-constraints.html#DDL-CONSTRAINTS-PRIMARY-KEYS`,
  },
  unused_index: {
    title: 'Index that was never used',
    level: 'INFO',
    description:
      'No query has used this index since statistics are kept, while every insert and most updates have to maintain it.',
    help: 'Drop it, unless it is new or made for something rare.',
    link: `${manual}/monitoring-stats.html#MONITORING-PG-STAT-ALL-INDEXES-VIEW`,
  },
  multiple_permissive_policies: {
    title: 'Several permissive policies for the same access',
    level: 'WARN',
    description:
      'More than one permissive policy holds for the same role and command. All of them are evaluated for each row until one lets it through.',
    help: 'Join them to one policy, or make those restrictive that should narrow the others.',
    link: `${manual}/sql-createpolicy.html`,
  },
  duplicate_index: {
    title: 'Duplicate index',
    level: 'WARN',
    description: 'Indexes of the same table are equal in all but their name; one would do.',
    help: 'Drop all but one.',
    link: `${manual}/indexes.html`,
  },
  table_bloat: {
    title: 'Table much larger than its rows',
    level: 'INFO',
    description:
      'By the statistics of the planner, more than half of the table on disk is room that deleted and changed rows have left behind. Scans read it all the same.',
    help: 'Rebuild it with VACUUM FULL in a quiet moment (the table is locked meanwhile), and look why autovacuum does not keep up.',
    link: `${manual}/routine-vacuuming.html`,
  },
} satisfies Record<string, LintRule>
