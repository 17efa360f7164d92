/** Why a body is no form; its message is for the sender. */
export class FormFault extends Error {
  override readonly name = 'FormFault';
}
