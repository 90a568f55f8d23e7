import type { SqlFunction } from '#contract/database/sql/sql-tools'
import { argumentsOf, callAt } from './call-at.ts'
import { monaco, sqlLanguage } from '../../../../ui/code/monaco.ts'

const reach = 10_000

/** Shows what the function takes whose arguments are being written. */
export function provideSignatures(
  functions: (name: string) => Promise<readonly SqlFunction[]>,
): monaco.IDisposable {
  return monaco.languages.registerSignatureHelpProvider(sqlLanguage, {
    signatureHelpTriggerCharacters: ['(', ','],
    signatureHelpRetriggerCharacters: [')'],
    async provideSignatureHelp(model, position) {
      const offset = model.getOffsetAt(position)
      const call = callAt(model.getValue().slice(Math.max(0, offset - reach), offset))
      const found = call ? await functions(call.name) : []
      if (!call || found.length === 0) return null
      const signatures = found.slice(0, 20).map(signatureOf)
      // The first that has so many arguments is the likeliest one.
      const fits = signatures.findIndex(({ parameters }) => parameters.length > call.argument)
      const value = {
        signatures,
        activeSignature: Math.max(0, fits),
        activeParameter: call.argument,
      }
      return { value, dispose: () => undefined }
    },
  })
}

function signatureOf(one: SqlFunction): monaco.languages.SignatureInformation {
  const parts = argumentsOf(one.arguments)
  return {
    label: `${one.name}(${parts.join(', ')}) → ${one.returns}`,
    parameters: parts.map((label) => ({ label })),
    ...(one.description ? { documentation: one.description } : {}),
  }
}
