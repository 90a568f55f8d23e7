import type { LintRule } from './lint-rule.ts'

const manual = 'https://www.postgresql.org/docs/17'

/** The rules of the security advisor, by name. */
export const securityLints = {
  auth_users_exposed: {
    title: 'Users of the project can be read through the data API',
    level: 'ERROR',
    description:
      'A view in a schema of the data API reads auth.users with the rights of its owner, and anon or authenticated may select from it. Addresses and phone numbers of all users leave the database that way.',
    help: 'Move the view to a schema that is not exposed, revoke select from anon and authenticated, or let it show only what belongs to the caller and set security_invoker.',
    link: `${manual}/rules-privileges.html`,
  },
  policy_exists_rls_disabled: {
    title: 'Policies without row level security',
    level: 'ERROR',
    description:
      'The table has policies, but row level security is off, so none of them is ever applied. Whoever has a privilege on the table sees and changes all rows.',
    help: 'Turn row level security on for the table.',
    link: `${manual}/ddl-rowsecurity.html`,
  },
  rls_disabled_in_public: {
    title: 'Row level security is off in an exposed schema',
    level: 'ERROR',
    description:
      'The table can be reached through the data API and row level security is off: everybody who has the public key can use whatever privileges anon has on it.',
    help: 'Turn row level security on and write a policy for each kind of access that is wanted.',
    link: `${manual}/ddl-rowsecurity.html`,
  },
  rls_enabled_no_policy: {
    title: 'Row level security without a policy',
    level: 'INFO',
    description:
      'Row level security is on and there is no policy, so nobody but the owner and roles that bypass it can see a row. That is safe, and often not what was meant.',
    help: 'Write a policy, or leave it as it is when only the service role uses the table.',
    link: `${manual}/sql-createpolicy.html`,
  },
  security_definer_view: {
    title: 'View with the rights of its owner',
    level: 'ERROR',
    description:
      'The view can be reached through the data API and reads with the rights of its owner. Policies of the tables behind it are not applied to who is asking.',
    help: 'Set security_invoker on the view, so that the policies of its tables hold for the caller.',
    link: `${manual}/sql-createview.html`,
  },
  function_search_path_mutable: {
    title: 'Function without a fixed search path',
    level: 'WARN',
    description:
      'The function finds tables and functions by the search path of whoever calls it. A caller who can create objects can put one of their own in front of the one that was meant.',
    help: 'Give the function a search_path of its own.',
    link: `${manual}/sql-createfunction.html#SQL-CREATEFUNCTION-SECURITY`,
  },
  extension_in_public: {
    title: 'Extension in the schema public',
    level: 'WARN',
    description:
      'The functions of the extension lie in a schema of the data API, so clients can call them, and their names mix with your own.',
    help: 'Move the extension to the schema extensions.',
    link: `${manual}/sql-alterextension.html`,
  },
  rls_references_user_metadata: {
    title: 'Policy that trusts user metadata',
    level: 'ERROR',
    description:
      'The policy reads user_metadata. Users change that part of their account themselves, so it proves nothing about them.',
    help: 'Decide by app_metadata, which only the service role can change, or by a table of your own.',
    link: `${manual}/ddl-rowsecurity.html`,
  },
  materialized_view_in_api: {
    title: 'Materialized view in the data API',
    level: 'WARN',
    description:
      'A materialized view cannot have row level security: whoever may select from it sees every row that it holds.',
    help: 'Revoke select from anon and authenticated, or move it to a schema that is not exposed.',
    link: `${manual}/sql-creatematerializedview.html`,
  },
  foreign_table_in_api: {
    title: 'Foreign table in the data API',
    level: 'WARN',
    description:
      'Policies are not applied to foreign tables: whoever may select from it sees every row of the other server that it shows.',
    help: 'Revoke select from anon and authenticated, or move it to a schema that is not exposed.',
    link: `${manual}/ddl-foreign-data.html`,
  },
  unsupported_reg_types: {
    title: 'Column of a type that upgrades refuse',
    level: 'WARN',
    description:
      'The column holds object ids of this very server (a reg* type). They mean nothing on another server, so upgrades to a new major version refuse the whole database.',
    help: 'Keep the name as text instead and cast it where it is used.',
    link: `${manual}/pgupgrade.html`,
  },
  fkey_to_auth_unique: {
    title: 'Foreign key to a unique column of auth',
    level: 'ERROR',
    description:
      'The foreign key leans on a unique constraint of a table in the schema auth. Updates of the auth service may rebuild that constraint and then fail because of it.',
    help: 'Reference the primary key of the table instead.',
    link: `${manual}/ddl-constraints.html#DDL-CONSTRAINTS-FK`,
  },
  leaked_service_key: {
    title: 'Secret key in the text of a function or view',
    level: 'ERROR',
    description:
      'A service key, which passes every policy, is in the text of a function, trigger or view. Every login of the database can read these texts.',
    help: 'Replace the key in the project settings, and read it from a table that only the owner may see.',
    link: `${manual}/catalog-pg-proc.html`,
  },
  extension_versions_outdated: {
    title: 'Extension is older than the server offers',
    level: 'WARN',
    description:
      'The server has a newer version of this extension, with bug fixes and sometimes security fixes.',
    help: 'Update the extension.',
    link: `${manual}/sql-alterextension.html`,
  },
  vulnerable_postgres_version: {
    title: 'This Postgres version has known holes',
    level: 'WARN',
    description: 'A newer minor release of this major version closes holes that are public.',
    help: 'Update the server to the newest minor release; it takes a restart.',
    link: 'https://www.postgresql.org/support/security/',
  },
  auth_otp_long_expiry: {
    title: 'One-time codes by mail live long',
    level: 'WARN',
    description:
      'One-time codes and links by mail are good for more than an hour. The longer they live, the more use is a mailbox that somebody else can read.',
    help: 'Let them expire after an hour or less.',
    link: 'https://pages.nist.gov/800-63-3/sp800-63b.html',
  },
  auth_otp_short_length: {
    title: 'One-time codes are short',
    level: 'WARN',
    description: 'One-time codes have less than six digits and can be guessed.',
    help: 'Use codes of six digits or more.',
    link: 'https://pages.nist.gov/800-63-3/sp800-63b.html',
  },
  auth_leaked_password_protection: {
    title: 'Leaked passwords are accepted',
    level: 'WARN',
    description: 'New passwords are not compared with those that are known from leaks.',
    help: 'Turn the check of leaked passwords on.',
    link: 'https://pages.nist.gov/800-63-3/sp800-63b.html#memsecretver',
  },
  auth_insufficient_mfa_options: {
    title: 'No second factor can be set up',
    level: 'WARN',
    description: 'Users cannot add a second factor, so a stolen password is enough to be them.',
    help: 'Allow authenticator apps as a second factor.',
    link: 'https://pages.nist.gov/800-63-3/sp800-63b.html',
  },
  no_backup_admin: {
    title: 'Only one person can administer the organization',
    level: 'INFO',
    description:
      'The organization has one Owner or Administrator. When that account is lost, nobody can manage members, billing or this project.',
    help: 'Make somebody else Owner or Administrator too.',
    link: 'https://pages.nist.gov/800-63-3/sp800-63b.html',
  },
} satisfies Record<string, LintRule>
