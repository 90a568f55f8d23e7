import type { Project } from '#contract/projects'
import { Card } from '../../ui/Card.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'

/** From nothing to the first rows, with the public client library. */
export function SnippetCard({ project }: { project: Project }) {
  const install = 'npm install @supabase/supabase-js'
  const code = [
    `import { createClient } from '@supabase/supabase-js'`,
    ``,
    `const client = createClient(`,
    `  '${project.endpoint}',`,
    `  process.env.ANON_KEY,`,
    `)`,
    `const { data, error } = await client`,
    `  .from('your_table')`,
    `  .select('*')`,
    `  .limit(10)`,
  ].join('\n')
  return (
    <Card title="Connect an app">
      <div className="form-stack">
        <CodeBlock code={install} language="text" what="install command" />
        <CodeBlock code={code} language="js" what="snippet" />
      </div>
    </Card>
  )
}
