/** What each preview is and what it changes; by its key. */
export const descriptions: Readonly<Record<string, { what: string; changes: readonly string[] }>> =
  {
    'supabase-ui-preview-unified-logs': {
      what: 'One page for the logs of every service: Postgres, the API gateway, auth, storage, functions and realtime. Filter by service, status and time, and follow one request from the gateway to the query it ran.',
      changes: [
        'Logs opens the new page. The old pages stay under their own links.',
        'Saved log queries open in the new page.',
      ],
    },
    'supabase-ui-branching-2-0': {
      what: 'Make and merge branches of a project in the dashboard, without a Git repository. A branch is a project of its own, with the schema of the one it was made from.',
      changes: [
        'The branch switcher offers to make a branch and to manage all of them.',
        'A branch merges into main only, after its changes were reviewed.',
      ],
    },
    'supabase-ui-advisor-rules': {
      what: 'Switch off single rules of the security and performance advisors: for a whole project, or for yourself only.',
      changes: [
        'The advisors get a page of rules, under Advisors, Rules.',
        'What a rule that is switched off would find is neither listed nor counted.',
      ],
    },
    'new-storage-ui': {
      what: 'Files first: the buckets of a project beside what is in them, with their policies and settings a click away.',
      changes: [
        'Storage opens at Files instead of the list of buckets.',
        'Links to a bucket lead to the same bucket in the new page.',
      ],
    },
    'supabase-ui-preview-inline-editor': {
      what: 'Edit functions, triggers and policies as SQL in a panel beside the list, instead of a form.',
      changes: [
        'Create and edit open the SQL of a function, trigger or policy in a panel.',
        'The statement is shown before it runs, and runs only when you say so.',
      ],
    },
    'supabase-ui-api-side-panel': {
      what: 'The documentation of a project API in a panel over the page you are on, with the names of your own tables and functions in every example.',
      changes: [
        'The API documentation opens as a panel from the rail and from a table.',
        'Examples are written for the entity that is open.',
      ],
    },
    'supabase-ui-cls': {
      what: 'Grant and revoke privileges on single columns, role by role.',
      changes: [
        'Database gets a page of column privileges.',
        'Column privileges are not captured in migrations.',
      ],
    },
  }
