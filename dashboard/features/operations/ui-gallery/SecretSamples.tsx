import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { strengthView } from '../../../ui/controls/password-strength.ts'
import { SecretText } from '../../../ui/text/SecretText.tsx'
import { StrengthMeter } from '../../../ui/controls/StrengthMeter.tsx'
import { Samples } from './Samples.tsx'

const checked = (score: number) => ({ score, feedback: { warning: '', suggestions: [] } })
const sql = `-- only one's own rows\nselect id, total from orders\nwhere customer = auth.uid() and total > 100`
const js = `import { createClient } from '@supabase/supabase-js'\nconst client = createClient(url, key) // anon`

export function SecretSamples() {
  return (
    <>
      <Samples title="Copy, secrets, code">
        <div className="stack">
          <div>
            <CopyButton text="hvbnxqtrmzwklsydpcgf" what="project ref">
              hvbnxqtrmzwklsydpcgf
            </CopyButton>
          </div>
          <CopyText
            text="http://localhost:8001/hvbnxqtrmzwklsydpcgf"
            what="project URL"
            label="URL"
          />
          <SecretText secret="sk_4f1c90aa7b1e4c02b4fQa" what="secret key" label="Secret key" />
          <CodeBlock code={sql} language="sql" what="query" />
          <CodeBlock code={js} language="js" what="snippet" />
        </div>
      </Samples>
      <Samples title="Password strength">
        <div className="stack">
          {[0, 1, 2, 3, 4].map((score) => (
            <StrengthMeter key={score} view={strengthView('x', checked(score))} />
          ))}
          <StrengthMeter view={strengthView('x'.repeat(100), undefined)} />
        </div>
      </Samples>
    </>
  )
}
