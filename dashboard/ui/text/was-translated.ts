/** True for the error React throws when something else changed its nodes: page translation or an extension. */
export const wasTranslated = (message: string) =>
  /failed to execute '(?:removeChild|insertBefore)' on 'node'/i.test(message)
