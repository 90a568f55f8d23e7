import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { databaseTools } from '#contract/database/database-tools'
import { databaseText } from '../../../session/project/database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { apiSchema } from './queries.ts'

const use = [
  `import { createClient } from '@supabase/supabase-js'`,
  `import type { Database } from './database.types'`,
  ``,
  `const client = createClient<Database>(process.env.PROJECT_URL!, process.env.ANON_KEY!)`,
].join('\n')

/** TypeScript types of everything the data API serves, made from the database as it is now. */
export function TypesChapter({ projectRef }: { projectRef: string }) {
  const make = useMutation({
    mutationFn: () =>
      databaseText(databaseTools.typescript, { ref: projectRef, included_schemas: apiSchema }),
    onSuccess: (text) => saveFile('database.types.ts', text, 'text/plain'),
  })
  return (
    <>
      <p>
        With types, your editor knows every table, column and function, and reports a query that
        cannot work before it runs. Generate them again after you change the schema.
      </p>
      <div>
        <Button
          variant="primary"
          icon={Download}
          busy={make.isPending}
          onClick={() => make.mutate()}
        >
          Download types
        </Button>
      </div>
      {make.error && <Alert variant="danger" title={make.error.message} />}
      <section className="doc-part">
        <h3>Pass them to the client</h3>
        <CodeBlock code={use} language="js" what="use of the types" />
      </section>
    </>
  )
}
