/** What the controls of one value are given. */
import type { FormFieldView } from "../../../../backend/backend";
import type { Form } from "../../../../state/form.svelte";

export interface ControlProps {
  form: Form;
  field: FormFieldView;
  /** Of the element that the label is for. */
  id: string;
  /** Ids of the help and of what is odd about the value. */
  describedby: string | undefined;
  invalid: boolean;
  /** Where it is written, for those who do not see it. */
  description: string | undefined;
  readonly: boolean;
  onenter: () => void;
}
