import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import type { View } from './resource.ts'
import type { Example } from './examples.ts'

type Props = { examples: readonly Example[]; language: View['language'] }

/** What can be done, each with the code that does it. */
export const ExampleList = ({ examples, language }: Props) =>
  examples.map(({ id, title, about, js, bash }) => (
    <section key={id} className="doc-part">
      <h3>{title}</h3>
      {about && <p className="muted">{about}</p>}
      <CodeBlock
        code={language === 'js' ? js : bash}
        language={language === 'js' ? 'js' : 'text'}
        what={title}
      />
    </section>
  ))
