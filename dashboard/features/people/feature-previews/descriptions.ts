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
      what: 'Create and merge branches of a project in the dashboard, without a Git repository. A branch is a separate project, with the schema of the one it was created from.',
      changes: [
        'In the branch switcher, you can create a branch and manage all of them.',
        'A branch merges only into main, and only after its changes were reviewed.',
      ],
    },
    'supabase-ui-advisor-rules': {
      what: 'Switch off individual rules of the security and performance advisors: for a whole project, or for yourself only.',
      changes: [
        'The advisors get a rules page, under Advisors, Rules.',
        'The advisors neither list nor count the findings of a rule that is off.',
      ],
    },
    'new-storage-ui': {
      what: 'Files first: the buckets of a project next to their contents, with their policies and settings one click away.',
      changes: [
        'Storage opens at Files instead of the list of buckets.',
        'Links to a bucket open the same bucket in the new page.',
      ],
    },
    'supabase-ui-preview-inline-editor': {
      what: 'Edit functions, triggers and policies as SQL in a panel beside the list, instead of a form.',
      changes: [
        'Create and edit open the SQL of a function, trigger or policy in a panel.',
        'You see the statement before it runs, and it runs only when you confirm.',
      ],
    },
    'supabase-ui-api-side-panel': {
      what: 'The documentation of a project API in a panel over the page you are on, with the names of your own tables and functions in every example.',
      changes: [
        'The API documentation opens as a panel from the rail and from a table.',
        'Examples use the entity that is open.',
      ],
    },
    'supabase-ui-cls': {
      what: 'Grant and revoke privileges on individual columns, role by role.',
      changes: [
        'Database gets a page for column privileges.',
        'Column privileges are not captured in migrations.',
      ],
    },
  }
