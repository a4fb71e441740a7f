//! The table. A new rule needs a row here, its test next to the others of its subject, and a file in `ui-tests/`.

use super::access::Object;
use super::address::{
    AddressTarget, address_cycle, address_of_local, address_of_nothing, address_of_opaque,
    address_outside, address_space, address_without_abi, function_is_generic, offset_of_function,
    pointer_misaligned,
};
use super::aliased::{AliasedLoad, dynamic_shared_aliases};
use super::alignment::{Alignment, base_misaligned, promise_too_low};
use super::block_barrier::{BlockBarrier, count_not_reached};
use super::call::{
    Actual, Callee, Counts, PassedAddress, PassedName, argument_alignment, argument_not_set,
    argument_place, argument_space, argument_type, call_args, call_of_kernel, call_returns,
    extern_param_over_aligned, narrow_parameter, param_over_aligned, register_type,
};
use super::copy::{
    BarrierCount, TensorCopy, TileDescriptor, Transactions, coordinate_misaligned, count_not_whole,
    count_out_of_range, descriptor_differs, matrix_of_other_elements, matrix_too_small,
    tile_across_tiles, tile_misaligned, tile_of_another, tile_too_small, transactions_differ,
    transactions_not_expected,
};
use super::declaration::{
    declaration_differs, directive_of_other_kind, directives_of_declaration, extern_with_body,
};
use super::directive::GivenDirective;
use super::element::{
    array_type_too_new, array_type_wrong_target, extent_missing, extent_zero, extent_zero_accepted,
    family_of_arrays, hidden_type, predicate_stored, predicate_vector, type_too_new,
    type_wrong_target, vector_as_bytes, vector_lanes, vector_too_wide,
};
use super::form::{
    Form, address_of_return_too_new, constant_pointer_and_cvta, element_of_scalar, index_of_scalar,
    indirect_texture, name_as_register, narrow_address, no_such_form, operand_kind, operand_type,
    result_not_register, special_written, sub_space_too_new, sub_space_wrong_target, sub_word_type,
    wrong_coordinates,
};
use super::format::{
    UsedNumbers, fragment_of_other_format, lane_of_other_format, number_of_other_format,
    scales_of_other_format,
};
use super::function::{
    directive_ignored, directive_out_of_range, directive_too_new, directive_wrong_target,
    directive_zero, directives_conflict, minnctapersm_alone, minnctapersm_too_great,
    noreturn_returns, param_named_like_function, params_over_limit, several_param_returns,
    shared_over_limit, shared_over_opt_in, special_too_new, special_wrong_target,
    unified_function_name, unified_function_too_new, unified_function_wrong_target,
    unified_narrow_parameter,
};
use super::instruction::{
    Used, instruction_too_new, instruction_wrong_target, unknown_memory_instruction, unknown_word,
};
use super::layout::{
    aligned_pads, host_layout_differs, pointer_below_natural, pointer_not_power_of_two,
    readonly_not_pointer, struct_pads,
};
use super::misplaced::{
    Misplaced, control_directive, misplaced_word, no_such_directive, not_a_predicate, not_a_target,
};
use super::module::{
    const_over_limit, no_such_version, version_below_target, version_below_target_accepted,
};
use super::name_in_body::{WrongName, name_ambiguous, name_hidden, undeclared};
use super::opaque::{
    member_ignored, member_not_applicable, member_twice, member_value, members_too_many,
    opaque_array_misplaced, opaque_common, opaque_composed, opaque_misplaced,
    sampler_in_unified_mode,
};
use super::operand::{
    StorageAccess, address_in_32_bits, address_of_local_param, barrier_touched, constant_written,
    fragment_misaligned, generic_accepted, has_bounds, has_isa_alignment, input_written,
    is_computed_with, map_loaded, map_not_generic, may_touch_barrier, names_tensor,
    needs_alignment, not_a_barrier, not_a_map, not_generic, offset_misaligned, opaque_accessed,
    opaque_offset, opaque_reached, other_space, out_of_bounds, read_only_written, return_read,
    space_missing, store_to_entry, takes_numbers, takes_opaque, unified_missing, unified_written,
    wants_barrier, wants_map, wrong_mode, wrong_rank, wrong_space, wrong_sub_space, wrong_type,
};
use super::protocol::{
    Misuse, answer_unused, block_may_end, block_not_started, completion_not_awaited,
    initialised_twice, never_initialised, not_published, parity_of_no_phase, proxy_not_fenced,
    read_before_wait, source_overwritten, too_few_arrivals, used_after_inval,
};
use super::register::{
    self, address_as_number, address_in_other_block, number_as_address, rank_beyond_cluster,
    register_not_written, truncated_address,
};
use super::reload::{Reload, stored_before_nc};
use super::surface::{SurfaceByte, surface_misaligned};
use super::tensor::{
    shared_only_elsewhere, static_map_unobserved, tensor_beyond_buffer, tensor_map_wrong_target,
    tensor_of_other_elements,
};
use super::trace::{
    Trace, barrier_counts, barrier_mixed, barrier_never_met, barrier_overwritten,
    cluster_never_met, columns_not_freed, completes_elsewhere, copy_not_whole, mask_of_absent,
    mask_without_own, never_written, no_columns, no_such_barrier, no_such_block, odd_columns,
    outside_buffer, partial_warpgroup, phase_never_over, phase_undecided, still_loading,
    too_many_arrivals, unenforced, unordered, waits_elsewhere, warp_diverges,
};
use super::value::{
    Misfit, address_in_u32, address_too_new, address_type, bits_or_number, float_becomes_infinite,
    inexact_kind, initialiser_of_dynamic, initialiser_of_extern, initialiser_space,
    inner_list_incomplete, integer_out_of_range, mask_not_a_byte, mask_type, not_exact,
    value_shape,
};
use super::variable::{
    align_below_natural, align_not_power_of_two, align_too_large, common_outside_global,
    const_variable_over_limit, family_initialised, family_name, family_outside_global,
    illegal_name, linkage_too_new, local_param_over_aligned, managed_outside_global,
    managed_too_new, name_accepted_by_ptxas, param_type, register_array, same_name, space_not_here,
    unified_outside_global, unified_too_new, unified_wrong_target,
};
use super::warpgroup::{
    Warpgroup, multiplied_without_fence, touched_before_wait, waits_for_no_group,
};
use super::{Blame, Declarations, Environment, Kind, Padding, Rule, Scope};
use crate::ir::{Address, Function, Module, Param, Variable};
use crate::rule::{find, rules};

/// The columns of a row: the section of the PTX ISA, who enforces the rule, and the part that it blames.
macro_rules! declarations {
    (source $section:literal) => {
        $section
    };
    (kind $kind:ident) => {
        Kind::$kind
    };
    (part $part:ident) => {
        Blame::$part
    };
    (asked $code:ident $blames:ident ($part:ident: $Part:ty)) => {
        match $part {
            Some(part) => part.covers(Blame::$blames),
            None => true,
        }
    };
}

rules! {
    Declarations, declarations, asks (part: Option<Blame>);

    /// Rules about a single variable or parameter.
    fn variable(variable: &Variable<'a>, scope: Scope, env: Environment) tests (variable, scope, env) of variable.name,
        allowed (on Variable, by Variable: variable.allow),
        silent never;
    D001 illegal_name "4.4" Refused Name:
        "`{0}` is not a PTX name: {1}", "{2}";
    D064 name_accepted_by_ptxas "4.4" Unenforced Name:
        "`{0}` is not a PTX name, although ptxas accepts it here: {1}", "{2}",
        silent "about a register of a body that hides a special register";
    D003 predicate_stored "5.4.1" Refused Element:
        "`{0}` is a predicate, and predicates exist only in registers", "store a `u8`, or declare `.reg .pred` in the body",
        ptx "store it as `.u8`, or declare `.reg .pred` in the body";
    D004 vector_too_wide "5.4.2" Refused Element:
        "`{0}` is {1} bytes, and a PTX vector holds at most 16", "use {2}",
        ptx "use `.v2` for elements of 8 bytes, `.v4` for smaller ones, or an array";
    D005 align_not_power_of_two "5.4.5" Refused Align:
        "the alignment {0} is not a power of two", "write {1}";
    D030 align_too_large "5.4.5" Refused Align:
        "the alignment {0} is larger than PTX allows", "write 2147483648 or less";
    D031 predicate_vector "5.4.2" Refused Type:
        "`{0}` is not a PTX type: predicates have no vectors or arrays", "declare several predicates, as in `.reg .pred %p<4>`";
    D006 align_below_natural "5.4.5" Hazard Align also on (Function | Local):
        "the alignment {0} is below the {1} that `{2}` needs: an access to it would fault", "write {1} or more, or leave the alignment out";
    D007 initialiser_space "5.4.4" Refused Value:
        "`{0}` is in `{1}`, which takes no initial value: only `.const` and `.global` do", "remove the value, and store it when the kernel starts";
    D008 extent_zero "5.4.3" Refused Extent:
        "`{0}` has an extent of zero: `{1}`", "give every dimension at least 1 element";
    D065 extent_zero_accepted "5.4.3" Unenforced Extent:
        "`{0}` has an extent of zero: `{1}`", "give every dimension at least 1 element";
    D066 vector_as_bytes "5.4.2" Unenforced Element:
        "`{0}` is made of `{1}`, which is not a PTX vector: it would become bytes that no vector access fits", "use vectors of 2 or 4 elements and at most 16 bytes, or an array";
    D068 hidden_type "5.4.3" Unenforced Type:
        "`{0}` is made of `{1}`, of which ptxas sees only bytes: {2}", "{3}";
    D009 const_variable_over_limit "5.1.3" Refused Type:
        "`{0}` takes {1} bytes, but constant memory holds {2}", "declare it `#[global]`, or pass a `Ptr<Const, T>` parameter",
        ptx "declare it `.global`, or pass a pointer to constant memory";
    D010 extent_missing "5.4.3" Refused Type:
        "`{0}` has no length: `{1}`", "write the number of elements, or use `#[shared(dynamic)]` for memory that is sized at launch",
        ptx "write the number of elements, or declare it `.extern .shared` for memory that is sized at launch";
    D011 type_too_new "5.2.1" Refused Element:
        "`{0}` needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one";
    D012 type_wrong_target "5.2.1" Refused Element:
        "`{0}` needs {1}, but the target is {2}", "choose a newer target";
    D060 register_array "5.1.1" Refused Type:
        "`{0}` cannot be an array: registers have no addresses", "write a family, `.reg .b32 %r<4>`, or use `.local`";
    D061 array_type_too_new "5.2.1" Unenforced Element:
        "`{0}` needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one";
    D062 array_type_wrong_target "5.2.1" Unenforced Element:
        "`{0}` needs {1}, but the target is {2}", "choose a newer target";
    D071 tensor_map_wrong_target "5.5.8" Hazard Type also on (Param | Function):
        "the {1} of the tensor map `{0}` is not available on {2} (rule {3})", "choose a target that has it, or write `target = {2}` in the map's declaration to see the alternatives",
        ptx "choose a target that has it";
    D075 shared_only_elsewhere "5.1.7" Hazard Type:
        "`{0}` holds {2}, `{1}`, which belongs in shared memory, but it is in `{3}`", "declare it `#[shared]`, or as a field of a `#[shared]` variable",
        ptx "declare it `.shared`";
    D073 static_map_unobserved "5.5.8" Hazard Value:
        "`{0}` is a static tensor map, whose layout was observed only on sm_90, but the target is {1}", "let the driver encode the map and pass it as a parameter, or choose sm_90 or sm_90a";
    D013 initialiser_of_extern "5.4.4" Refused Value:
        "`{0}` is defined elsewhere and cannot have an initial value", "remove the value";
    D069 initialiser_of_dynamic "5.4.4" Unenforced Value:
        "`{0}` is dynamic shared memory, which the launch provides, and cannot have an initial value", "remove the value, and store it when the kernel runs";
    D015 vector_lanes "5.4.2" Refused Element:
        "`{0}` has {1} elements, but a PTX vector has 2 or 4", "use `.v2` or `.v4` (pad three elements to four)";
    D016 aligned_pads "5.4.5" Unenforced Element:
        "`{0}` is {1} bytes, which is not a multiple of its alignment {2}: Rust would pad it, but PTX would not", "pad it to a multiple, or align the variable with `align = {2}`",
        ptx "pad it to a multiple, or write `.align {2}` on the variable";
    D017 space_not_here "5.1" Refused Space:
        "`{0}` cannot be declared {1}", "{2}";
    D025 common_outside_global "11.6" Refused Linkage:
        "`{0}` is in `{1}`, but only `.global` variables can be `.common`", "remove `common`",
        ptx "remove `.common`";
    D026 managed_outside_global "5.4.8" Refused Linkage:
        "`{0}` is in `{1}`, but only `.global` variables can be `.managed`", "remove `managed`, or declare it `#[global(managed)]`",
        ptx "remove `.managed`, or declare it `.global`";
    D027 linkage_too_new "11.6" Refused Linkage:
        "`{0}` needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one";
    D028 managed_too_new "5.4.8" Refused Linkage:
        "`{0}` is `.managed`, which needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one";
    D024 inner_list_incomplete "5.4.4" Hazard Value also on (Function | Local):
        "an inner list of `{0}` is incomplete, and ptxas moves the values after it into the gap", "write all its values, zeros included";
    D044 address_too_new "5.4.4" Refused Value:
        "the address in the initial value of `{0}` needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one";
    D045 family_initialised "5.4.6" Refused Value:
        "`{0}` is a family of variables, which cannot have an initial value", "remove the value, or declare the variables one by one";
    D055 param_type "5.1.6.4" Refused Element:
        "`{0}` is a `{1}`, but a `.param` in a body is a scalar or an array of scalars", "declare an array of the same size and alignment";
    D056 local_param_over_aligned "5.1.6.4" Refused Align:
        "`{0}` is aligned to {1} bytes, but ptxas takes at most 128 for a `.param` in a body", "align it to 128 or less";
    D046 family_of_arrays "5.4.6" Refused Type:
        "`{0}` is a family of arrays or structs, but PTX has families of scalars and vectors only", "declare the variables one by one, or one array of them";
    D047 family_name "5.4.6" Unenforced Name:
        "the members of `{0}<..>` would be ambiguous: PTX reads `{0}0` as another name", "end the name in a letter";
    D048 unified_outside_global "5.4.8" Refused Linkage:
        "`{0}` is in `{1}`, but only `.global` variables and device functions can be `.unified`", "remove `unified`, or declare it `#[global]`",
        ptx "remove `.unified`, or declare it `.global`";
    D063 family_outside_global "5.4.8" Unenforced Linkage:
        "`{0}` is in `{1}`, but only `.global` variables can be `.managed`", "remove `managed`, or declare it `#[global(managed)]`",
        ptx "remove `.managed`, or declare it `.global`";
    D049 unified_too_new "5.4.8" Refused Linkage:
        "`{0}` is `.unified`, which needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one";
    D050 unified_wrong_target "5.4.8" Refused Linkage:
        "`{0}` is `.unified`, which needs {1}, but the target is {2}", "choose a newer target";
    O001 opaque_misplaced "5.3" Refused Element:
        "`{0}` is a `{1}` and cannot be {2}: textures, samplers and surfaces are `.global` variables of the module, or parameters of kernels", "declare it there, and hold its address in a `u64`",
        ptx "declare it there, and hold its address in a `.u64`";
    O002 member_not_applicable "5.3" Refused Value:
        "`{1}` has no `{0}` in {2} texture mode (table {3}: N/A)", "remove it";
    O003 sampler_in_unified_mode "5.3" Refused Element:
        "`{0}` is a `.samplerref`, but in unified texture mode the sampler is part of the `.texref`", "write `texmode = independent` on the module, or set the members of the texture",
        ptx "add `texmode_independent` to `.target`, or set the members of the texture";
    O004 opaque_composed "5.3" Unenforced Element:
        "`{0}` is made of `{1}`, but PTX has no arrays, vectors or structs of it", "declare them one by one";
    O005 member_value "5.3" Unenforced Value:
        "`{0}` is {1} here, but takes {2}", "write {2}";
    O006 member_ignored "5.3" Unenforced Value:
        "`{0}` of a `{1}` is ignored in {2} texture mode (table {3})", "set it in a `SamplerRef`",
        ptx "set it in a `.samplerref`";
    O010 members_too_many "5.3" Refused Value:
        "`{0}` has {1} values, but a `{2}` has {3} members", "assign each member once";
    O007 member_twice "5.3" Unenforced Value:
        "`{0}` of `{1}` is assigned twice", "remove one of them",
        silent "where there are more values than members (O010)";
    O009 opaque_array_misplaced "5.3" Unenforced Element:
        "`{0}` is made of `{1}` and cannot be {2}: textures, samplers and surfaces are `.global` variables of the module, or parameters of kernels", "declare it there, and hold its address in a `u64`",
        ptx "declare it there, and hold its address in a `.u64`";
    O008 opaque_common "11.6" Refused Linkage:
        "`{0}` is a `{1}`, which cannot be `.common`", "remove `common`",
        ptx "remove `.common`";

    /// Rules about an element of the initial value of a variable.
    fn element(misfit: Misfit<'a>) tests (misfit) of misfit.name,
        allowed (on Variable, by Variable: misfit.allow),
        silent never;
    D014 integer_out_of_range "5.4.4" Unenforced Number:
        "`{0}` does not fit in `{1}`, which holds {2} to {3}", "write a value in that range, or choose another type";
    D018 value_shape "5.4.4" Refused Value:
        "the initial value of `{0}` does not match the shape of `{1}`: {2}", "{3}";
    D029 float_becomes_infinite "5.4.4" Unenforced Number:
        "a number in the initial value of `{0}` is out of range for `.{1}`, and would become infinite", "write a number in range, or infinity itself",
        ptx "write a number in range, or the bits of infinity, such as `0f7F800000`";
    D019 inexact_kind "5.4.4" Refused Number:
        "the initial value of `{0}` is {1}, but `{2}` takes {3}", "write {3}, or change the type";
    D032 bits_or_number "5.2.3" Unenforced Number:
        "the initial value of `{0}` is {1}, which ptxas would not store as a `{2}`", "{3}";
    D039 address_type "5.4.4" Refused Number:
        "the initial value of `{0}` has an address in a `{1}`, where PTX allows none", "store it in a `u64` or a `Ptr`, or byte by byte in `u8`, as in `mask(0xff, addr(X))`",
        ptx "store it in a `.u64`, or byte by byte in `.u8`, as in `0xff(x)`";
    D040 address_in_u32 "5.4.4" Hazard Number also on (Function | Local):
        "the initial value of `{0}` has an address in four bytes, but the loader writes eight, over the bytes that follow", "store it in a `u64` or a `Ptr`",
        ptx "store it in a `.u64`";
    D041 mask_not_a_byte "5.4.4" Refused Number:
        "the mask {0} does not select a byte", "write 0xff, 0xff00, 0xff0000, ... or 0xff00000000000000";
    D043 mask_type "5.4.4" Unenforced Number:
        "the initial value of `{0}` masks one byte of an expression for a `{1}`, but a mask is for `.u8`", "store it in a `u8`",
        ptx "store it in a `.u8`";

    /// Rules about an address in the initial value of a variable.
    fn address(address: &Address<'a>, symbol: AddressTarget<'a>, holder: &Variable<'a>) tests (address, symbol, holder) of holder.name,
        allowed (on Variable, by Variable: holder.allow),
        silent never;
    D033 address_of_nothing "5.4.4" Refused Value:
        "nothing here is named `{0}`", "declare it in the module";
    D034 address_outside "5.4.4" Hazard Value:
        "`{0} + {1}` is outside `{0}`, {2}", "{3}",
        silent "about textures, samplers and surfaces (D036), and about positive offsets into \
            storage without a length";
    D072 tensor_beyond_buffer "5.5.8" Hazard Value:
        "the tensor of `{0}` ends at byte {1} of `{2}`, which has {3} bytes", "write extents and strides that fit",
        silent "about buffers without a length";
    D074 tensor_of_other_elements "5.5.1" Hazard Value:
        "`{0}` is a tensor map of `{1}` elements, but `{2}` holds `{3}`, which has another size", "declare a buffer of its elements, or of bytes",
        silent "about buffers of bytes or of structs, which may hold any elements, and where the tensor \
            does not fit into its buffer (D072)";
    D036 address_of_opaque "5.3" Unenforced Value:
        "`{0}` is a `{1}`, and opaque variables cannot appear in initial values", "take its address in a kernel, as in `mov.u64 %rd1, {0};`";
    D037 function_is_generic "5.4.4" Refused Value:
        "`{0}` is a function, which has no generic address", "write `addr({0})`",
        ptx "write `{0}` alone";
    D038 offset_of_function "5.4.4" Refused Value:
        "the offset {1} is added to the function `{0}`, but only its own address can be taken", "remove the offset";
    D042 address_space "5.4.4" Refused Value:
        "`{0}` is in `{1}`, but only the addresses of `.global` and `.const` variables are known before a kernel runs", "take its address in the kernel, as in `mov.u64 %rd1, {0};`";
    D053 address_of_local "5.4.4" Refused Value:
        "`{0}` is a {1}, but initial values take only the addresses of the module's variables and functions", "store the address when the kernel runs";

    /// Rules about a parameter, besides those about its variable.
    fn param(param: &Param<'a>) tests (param) of param.variable.name,
        allowed (on Param | Function, by Param: param.variable.allow),
        silent never;
    D020 pointer_not_power_of_two "5.1.6.3" Refused Type:
        "the alignment {0} that `{1}` promises is not a power of two", "write {2}";
    D021 pointer_below_natural "5.1.6.3" Hazard Type:
        "`{1}` points to `{2}`, which needs an alignment of {3}, but promises only {0}", "promise {3} or more, or leave the alignment out",
        silent "about an alignment of 1, which promises nothing: compilers write it for \"unknown\"";
    D076 readonly_not_pointer "5.1.6.3" Unenforced Linkage:
        "`{0}` is a `{1}`, but only a pointer or a tensor map can be `#[readonly]`", "remove `#[readonly]`, or pass a `Ptr` or a `TensorMap`",
        ptx "remove it, or pass a pointer or a tensor map",
        silent "about a parameter whose type only rustc knows, until `Module::check()`";

    /// The rule about a parameter of `owner`, or a `.param` of its body, that has the name of a function of the
    /// module.
    fn named(variable: &Variable<'a>, owner: &Function<'a>, function: &Function<'a>, is_alone: bool)
        tests (variable, owner, function, is_alone) of variable.name,
        allowed (on Param | Function, by Param: variable.allow, Function: owner.allow),
        silent never;
    D077 param_named_like_function "5.1.6" Hazard Name:
        "`{0}` has the name of {1}: ptxas and the driver's linker confuse the two, and may crash", "rename the parameter",
        silent "about declarations without a body, whose names are never used; about parameters in \
            registers, and about families; about a kernel's own name, if the module defines no \
            other function";

    /// The rule about initial values that depend on themselves.
    fn cycle(name: &'a str) tests (name) of name, allowed nowhere,
        silent never;
    D052 address_cycle "5.4.4" Refused Value:
        "the address in the initial value of `{0}` leads back to `{0}`, but PTX takes no address before its declaration", "store one of the addresses when a kernel runs";

    /// The rule about pointers whose target has a lower alignment than they guarantee, in bytes.
    fn pointed(symbol: &'a str, aligned: usize, promised: usize) tests (symbol, aligned, promised) of symbol,
        allowed (on Variable),
        silent never;
    D070 pointer_misaligned "5.4.5" Hazard Value:
        "this address in `{0}` is aligned to {1} bytes, but its type promises {2}: an access through it would fault", "align `{0}`, add a multiple of {2}, or declare a pointer to smaller elements",
        silent "in `Module::check()`, which does not see what a type promises in an initial value";

    /// The rule about numbers that are declared to be exact: `literal` is not, and `nearest` would be stored.
    fn exact(literal: &'a str, scalar: crate::ScalarType, nearest: &'a str) tests (literal, scalar, nearest) of literal, allowed nowhere,
        silent never;
    D059 not_exact "5.4.4" Unenforced Value:
        "`.{1}` cannot represent {0} exactly: it would store {2}", "write a number that it can represent, or remove `exact`",
        ptx "write a number that it can represent",
        silent "about numbers that are not marked `exact`, and in `Module::check()`, which sees \
            only the stored value";

    /// Rules about the form of an instruction, regardless of its operands' storage.
    fn form(form: Form<'a>, env: Environment) tests (form, env) of "",
        allowed (on Statement | Function),
        silent (each);
    A004 address_of_return_too_new "5.1.6.4" Refused Name:
        "taking the address of the return value `{0}` needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one",
        silent "where the module gives no version, and about an address that is taken by an \
            instruction other than `mov` and `cvta`";
    A011 sub_space_too_new "5.1.6" Refused Name:
        "`{0}` needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or remove the qualifier or the version",
        ptx "write `.version {1}` or a newer one, or remove the qualifier",
        silent "where the module gives no version, and where the instruction itself needs as much (A028, A029)";
    A012 constant_pointer_and_cvta "5.1.6.1" Refused Name:
        "this makes a generic address of a constant, but `{0}` is a kernel's pointer to constant memory: ptxas accepts only one of the two in a module", "pass `{0}` as `Ptr<Global, T>`, or load the constant with `ld.const`",
        ptx "pass `{0}` as a pointer to `.global`, or load the constant with `ld.const`",
        silent "where only rustc knows that the parameter is such a pointer, until `Module::check()`";
    A013 sub_space_wrong_target "5.1.7" Refused Name:
        "`{0}` needs {1}, but the target is {2}", "remove the qualifier, or choose a newer target",
        silent "where the instruction itself needs as much (A028, A029)";
    A014 indirect_texture "5.3" Unenforced Name:
        "this names a texture through a register, which only unified texture mode allows", "name the texture itself, or remove `texmode = independent`",
        ptx "name the texture itself, or remove `texmode_independent`",
        silent "about a register that is a parameter of a function, and about unknown instructions \
            (A030)";
    A015 sub_word_type "5.2.2" Refused Name:
        "`.{0}` is a type for loads, stores and conversions only", "convert to 16 or 32 bits first, and compute with those",
        silent "about a type that is not the last of its instruction, and about unknown \
            instructions (A030)";
    A016 special_written "5.1.2" Refused Name:
        "`{0}` is read-only: special registers are predefined", "write to a register of your own",
        silent "about a second destination, and about destinations in braces; where a declaration \
            hides the special register; about unknown instructions (A030)";
    A044 wrong_coordinates "5.5.2" Refused Name:
        "a `{0}` copy takes {1}, not {2}", "write {3}",
        silent "where no coordinates in braces follow the map, and about unknown instructions \
            (A030)";
    A049 element_of_scalar "5.4.2" Refused Name:
        "`{0}` is a register without elements, and has no `.{1}`", "{2}",
        silent "about registers that are parameters, and about elements that no vector has";
    A055 index_of_scalar "6.4.2" Refused Name:
        "`{0}` is not an array, and cannot be indexed", "write `[{0}]` to access it or `{0}` for its address, or declare an array",
        silent "about storage whose type only rustc knows, until `Module::check()`";
    A093 name_as_register "6.4.1" Refused Name:
        "`{0}` stands for an address, and this instruction takes a register or a number", "load the value with `ld{1}.{2}`{3}",
        silent "about operands whose type the instruction table does not know, about names with an \
            offset, and about scalars in vectors, all of which ptxas takes";
    A097 operand_type "9.4" Refused Name:
        "{0} is {1}, but {2}", "{3}",
        silent "about names other than registers, about registers whose type only rustc knows, about \
            every operand after the first that does not fit, and about operands that the \
            instruction table does not describe";
    A098 result_not_register "6.4.3" Refused Name:
        "{0} {1}, but the first operand of `{2}` is its result", "write a register, or use `st` to store to memory",
        silent "about labels and functions, about special registers (A016), about addresses in \
            brackets, and about instructions that the table does not describe";
    A099 no_such_form "9.7" Refused Name:
        "{0} {1}{2}", "{3}",
        silent "about the state space of an instruction that names storage in another one (A017, A018), \
            about types and state spaces of instructions for which the instruction table does not list them, \
            and about what may be newer than PTX 9.0";
    A100 operand_kind "6.4" Refused Name:
        "{0}{1}{2}", "{3}",
        silent "about operands that the instruction table does not describe, about the number of registers in \
            a fragment of a matrix, and about vectors of alternate formats and of counts of barriers, which ptxas takes";
    A052 narrow_address "6.4.1" Hazard Name:
        "`{0}` {1}, but {2} has 64", "declare it `.b64`{3}",
        silent "about vectors, and about registers that are parameters; about unknown instructions \
            (A030)";

    /// The rule about functions that return several values in a module that takes addresses of functions.
    fn abi(several: &'a str, function: &'a str) tests (several, function) of several, allowed nowhere,
        silent never;
    D067 address_without_abi "5.4.4" Refused Value:
        "the address of `{1}` is taken, but `{0}` returns several values, for which ptxas abandons the ABI: it accepts only one of the two in a module", "return a struct from `{0}`",
        ptx "return one array of bytes from `{0}`";

    /// The rule about names.
    fn duplicate(name: &'a str, earlier: &'a str) tests (name, earlier) of name, allowed nowhere,
        silent never;
    D002 same_name "4.4" Refused Name:
        "`{0}` is declared twice in this scope", "rename one of them";

    /// Rules about the layout of a Rust type.
    fn layout(ty: &'a crate::ir::Type<'a>, size: usize, align: usize, name: &'a str) tests (ty, size, align, name) of name, allowed nowhere,
        silent never;
    D022 host_layout_differs "5.4.5" Unenforced Type:
        "Rust lays out `{0}` in {1} bytes aligned to {2}, but PTX does not", "report this: a type of the library is wrong",
        silent "in `Module::check()`, which does not see Rust's layout";

    /// Rules about the fields of a derived struct.
    fn padding(padding: &Padding<'a>) tests (padding) of padding.name, allowed nowhere,
        silent never;
    D023 struct_pads "5.1.6.4" Unenforced Type:
        "`{0}` has {2}, whose value would be undefined", "{3} a field `[u8; {1}]`, or let `#[ptx::padded]` do so",
        ptx "{3} a field of {1} bytes",
        silent "about structs that are not derived, and in `Module::check()`";

    /// Rules about the signature of a function.
    fn function(function: &Function<'a>, env: Environment) tests (function, env) of function.name,
        allowed (on Function, by Function: function.allow),
        silent never;
    F001 params_over_limit "5.1.6.1" Refused Name:
        "the parameters of `{0}` take {1} bytes, but {3} takes at most {2}", "pass a pointer to global memory instead";
    F002 shared_over_limit "5.1.7" Refused Name:
        "`{0}` uses {1} bytes of static shared memory, but ptxas takes at most {2} here", "{3}";
    F019 shared_over_opt_in "5.1.7" Hazard Name:
        "`{0}` uses {1} bytes of shared memory, {2} of them dynamic, but a block has at most {3}: no launch succeeds", "make its shared variables smaller",
        silent "about dynamic shared memory without a length, `[T]`, whose size the launch \
            specifies";
    F007 directives_conflict "11.4" Refused Directives:
        "`.{0}` and `.{1}` cannot be combined", "remove one of them";
    F012 several_param_returns "5.1.6.4" Refused Name:
        "`{0}` returns {1} values, but PTX returns several only in registers", "return one struct, or write `Reg<T>` for each",
        ptx "return one array of bytes, or return them as `.reg`";
    F017 unified_narrow_parameter "5.4.8" Refused Name:
        "`{0}` is unified, but its `{1}` is a `{2}`: ptxas passes no integers of 8 or 16 bits and no predicates", "widen it to 32 bits, or pass `B8` or `B16`",
        ptx "widen it to 32 bits, or pass `.b8` or `.b16`";
    F018 unified_function_name "5.4.8" Refused Name:
        "`{0}` is unified, but the name of a unified function cannot start with `%`", "choose another name";
    F013 unified_function_too_new "5.4.8" Refused Directive:
        "`{0}` is `.unified`, which needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one";
    F014 unified_function_wrong_target "5.4.8" Refused Directive:
        "`{0}` is `.unified`, which needs {1}, but the target is {2}", "choose a newer target";
    F020 noreturn_returns "11.4" Refused Directives:
        "`{0}` is `.noreturn`, but returns a value", "remove the value, or `noreturn`",
        ptx "remove the value, or `.noreturn`";
    F035 extern_with_body "11.6" Refused Linkage:
        "`{0}` is `.extern`, which is defined elsewhere, but has a body", "remove the body, or `extern`",
        ptx "remove the body, or `.extern`";
    F037 directives_of_declaration "11.4" Refused Directives:
        "`{0}` has no body here, and the directives of a kernel belong to its definition", "remove them, or write the body";
    F008 minnctapersm_alone "11.4" Warned Directives:
        "`.minnctapersm` is ignored unless the size of a block is declared", "add `maxntid` or `reqntid`",
        ptx "add `.maxntid` or `.reqntid`";

    /// Rules about one directive of a function.
    fn directive(directive: GivenDirective<'a>, function: &Function<'a>, env: Environment) tests (directive, function, env) of function.name,
        allowed (on Function, by Function: function.allow),
        silent never;
    F036 directive_of_other_kind "11.4" Refused Directive:
        "`.{0}` is a directive of {1}, and `{2}` is {3}", "remove it";
    F003 directive_too_new "11.4" Refused Directive:
        "`.{0}` needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one";
    F004 directive_wrong_target "11.4" Refused Directive:
        "`.{0}` needs {1}, but the target is {2}", "remove it, or choose a newer target";
    F005 directive_zero "11.4" Refused DirectiveValue:
        "`.{0}` is zero here", "write at least 1";
    F006 directive_out_of_range "11.4" Unenforced DirectiveValue:
        "`.{0}` is {1}{3} here, but hardware has 1 to {2}", "write a value in that range";
    F030 directive_ignored "11.4" Warned DirectiveValue:
        "`.{0}` is {1} here, but no target has more than {2}: ptxas ignores it", "write {2} or less, or leave it out",
        silent "about a value that is too great only for some targets";
    F039 minnctapersm_too_great "11.4" Warned DirectiveValue:
        "`.minnctapersm` asks for {0} blocks of {1} threads, but a multiprocessor of {2} holds {3}: ptxas ignores it", "write {3} or less, or declare smaller blocks",
        silent "about more than 32 blocks, which no target holds (F030), and for other GPUs than the target, on \
            which the driver may compile the kernel";

    /// The rule about a function that is declared before: `earlier` is what was declared.
    fn redeclared(earlier: &Function<'a>, function: &Function<'a>) tests (earlier, function) of function.name, allowed nowhere,
        silent never;
    F038 declaration_differs "11.6" Refused Name:
        "this declaration of `{0}` does not match the one before it: {1}", "{2}";

    /// Rules about a parameter or a return value of a device function.
    fn formal(param: &Param<'a>, callee: Callee) tests (param, callee) of param.variable.name, allowed nowhere,
        silent never;
    F009 narrow_parameter "5.1.6.4" Unenforced Type:
        "`{0}` is a `{1}`, but ptxas passes no integers of 8 or 16 bits and no predicates: it would refuse every call", "widen it to 32 bits, or pass `B8` or `B16`",
        ptx "widen it to 32 bits, or pass `.b8` or `.b16`";
    F010 param_over_aligned "5.1.6.4" Refused Type:
        "`{0}` is aligned to {1} bytes, but ptxas takes at most 128 for a parameter of a function", "align it to 128 or less, or pass a pointer";
    F016 extern_param_over_aligned "5.1.6.4" Unenforced Type:
        "`{0}` is aligned to {1} bytes, but a parameter of a function can be aligned to at most 128", "align it to 128 or less, or pass a pointer";
    F011 register_type "5.1.1" Refused Type:
        "`{0}` is neither a scalar nor a vector, and cannot be a register", "remove `Reg`, so that it is passed in `.param` space",
        ptx "declare it `.param`";

    /// Rules about an operand at an address in known storage; only the first violation is reported.
    fn operand(operand: StorageAccess<'a>, object: Object<'a>) tests (operand.shape(), object)
        placed (by (operand, object), facts OperandFacts by operand_facts, at once operand_at_once) of object.name(),
        allowed (on Statement | Function, by Local: object.variable().allow),
        silent (each "unless it is known which storage the operand accesses: the operand names it, \
            or its register holds an address of it on every path. An address is followed from \
            `mov`, from a parameter that is a pointer or, in `Module::check()`, from a pointer in \
            a parameter that is a struct (not in an array), and into a private function from all \
            its calls, through `cvta`, `mapa`, `cvt`, `add`, `sub`, `mad`, `selp` and bitwise \
            operations, but not through memory, out of functions, or past a join where a register \
            holds addresses of different storage. If an offset is not the same in every execution, \
            its possible values are a number plus all multiples of another, within the bounds that \
            tests and the numbers of threads and blocks prove. Of the storage behind a kernel's \
            pointer, only its type's promises are known. Only the first rule that an operand \
            breaks is reported");
    A001 input_written "5.1.6.4" Refused Name:
        "`{0}` cannot be stored to: {1}", "keep the new value in a register",
        silent "where a register holds the address (of a kernel's parameter, A035)";
    A017 constant_written "5.1.3" Refused Name:
        "`{0}` cannot be stored to: constant memory is read-only", "declare it `#[global]` and write `.global` here, or set it from the host before the launch",
        ptx "declare it `.global` and write `.global` here, or set it from the host before the launch",
        silent "where a register holds the address (A035)";
    A002 return_read "5.1.6.4" Refused Name:
        "`{0}` cannot be loaded from: a return value is write-only", "keep the value in a register too",
        silent "where a register holds the address";
    A003 address_of_local_param "5.1.6.4" Refused Name:
        "the address of `{0}` cannot be taken: a `.param` in a body has none", "declare it `.local`, since a `.param` in a body only carries arguments and results of calls",
        silent "about parameters of the signature, whose addresses may be taken";
    A005 unified_missing "5.4.8" Hazard Name:
        "`{0}` is unified, and a load of it without `.unified` is undefined", "write `[{0}].unified`",
        silent "where a register holds the address, and about instructions that have no `.unified`";
    A006 unified_written "5.4.8" Unenforced Name:
        "`{0}` cannot be stored to: unified variables are read-only", "use `#[global]` without `unified`",
        ptx "declare it without `.unified`",
        silent "where a register holds the address, and about atomic operations";
    A007 opaque_accessed "5.3" Refused Name:
        "`{0}` is a `{1}`, whose layout is hidden: only texture and surface instructions can access it", "use `tex`, `txq`, `suld`, `sust`, `sured` or `suq`",
        silent "where a register holds the address (A045), and where the variable is used as a \
            barrier or a tensor map";
    A008 opaque_offset "5.3" Unenforced Name if takes_opaque:
        "`{0}` is a `{1}`, and no offset can be added to the address of an opaque variable", "remove the offset",
        silent "where a later instruction adds the offset";
    A009 wrong_sub_space "5.1.6" Unenforced Name:
        "`{0}` is {1}, which this qualifier does not name", "write `.param{2}`, or `.param` alone",
        silent "where a register holds the address, and where the instruction uses `.param` alone";
    A010 store_to_entry "5.1.6" Refused Name:
        "`{0}` cannot be stored to through `.param::entry`, which is read-only", "write `.param::func`, or `.param` alone",
        silent "where a register holds the address, and about storage that is read-only under any \
            name (A001)";
    A018 wrong_space "6.4.1" Refused Name:
        "`{0}` is in `{1}`, but this instruction accesses `{2}`", "{3}",
        silent "where a register holds the address (A031 to A033), and about textures, samplers and \
            surfaces (A007)";
    A019 space_missing "6.4.1" Refused Name:
        "`{0}` is in `{1}`, but an instruction without a state space takes only generic addresses", "add `{1}` to the instruction",
        silent "where a register holds the address (A032), and about names in spaces other than \
            `.const` and `.param`, which ptxas accepts there";
    A046 address_in_32_bits "6.4.1" Refused Name:
        "the address of `{0}` {1} `.{2}`{3}", "write `.u64`, and use a 64-bit register",
        silent "about names in spaces other than `.global`, unless they are textures, samplers or \
            surfaces, and where the address is narrowed later (A058)";
    A031 other_space "6.4.1" Hazard Name:
        "`{0}` holds an address of `{1}` in {2}", "{3}",
        silent "where the address may be generic, or in another space: from a pointer without a \
            state space, from a parameter of a function, and after a `cvta` of a space that is not \
            the storage's, which is reported itself; about instructions without a space (A032); \
            about tensor maps at generic addresses of parameters and constants";
    A032 not_generic "6.4.1" Hazard Name:
        "`{0}` holds an address of `{1}` in `{2}`, but this instruction takes a generic address", "convert it with `cvta{2}`, or add `{2}` to the instruction",
        silent "about addresses in `.global`, which are generic too, and where the address may be \
            generic (see A031)";
    A033 generic_accepted "6.4.1" Unenforced Name:
        "`{0}` holds a generic address of `{1}`, but this instruction takes an address in `{2}`", "convert it with `cvta.to{2}`, or remove `{2}`",
        silent "about generic addresses of `.global` in an instruction with `.global`, which are \
            the same, and about parameters that are not declared as pointers";
    A043 map_not_generic "9.7.9" Hazard Name:
        "`{0}` holds the address of the parameter `{1}`, but a tensor map is taken by its generic address", "convert it with `cvta.param`",
        silent "after a `cvta`, of which one of another space is reported itself (A031)";
    A045 opaque_reached "5.3" Unenforced Name:
        "`{0}` holds the address of `{1}`, a `{2}`, whose layout is hidden: only texture and surface instructions can access it", "use `tex`, `txq`, `suld`, `sust`, `sured` or `suq`",
        silent "about a handle that a register holds as a number, such as that of a texture \
            object: what it refers to is not known";
    A035 read_only_written "5.1" Hazard Name:
        "this stores through `{0}`, an address of `{1}`: {2}", "{3}",
        silent "about a name (A001, A017), and about stores in a called function";
    A024 not_a_barrier "9.7.13" Hazard Name if wants_barrier:
        "this takes a barrier, but `{0}` has a `{1}` there", "declare an `Mbarrier`, or a `u64`",
        ptx "declare it `.b64`",
        silent "where the operand may start at a place that holds a barrier, bits, or integers of \
            1 or 8 bytes; where nothing is declared at such a place, or there are more than 256 of \
            them";
    A025 not_a_map "9.7.9" Hazard Name if wants_map:
        "this takes a tensor map, but `{0}` has a `{1}` there", "pass a `TensorMap`",
        ptx "pass the 128 bytes of a tensor map",
        silent "where the operand may start at a place that holds a map, bits or integers; where \
            nothing is declared at such a place, or there are more than 256 of them";
    A026 wrong_rank "9.7.9" Hazard Name if names_tensor:
        "`{0}` is a map of {1} dimensions, but this instruction is `.{2}d`", "write `.{1}d`, and as many coordinates",
        silent "unless the operand starts at a declared `TensorMap`, at an offset that is known \
            exactly: bytes and numbers may hold any map";
    A027 wrong_mode "9.7.9" Hazard Name if names_tensor:
        "`{0}` is a map in mode {1}, but this instruction is {2}", "write the mode of the map, or declare the map in that of the instruction",
        silent "unless the operand starts at a declared `TensorMap`, at an offset that is known \
            exactly: bytes and numbers may hold any map";
    A048 map_loaded "5.5.8" Hazard Name if takes_numbers:
        "`{0}` is a tensor map, whose bytes are not an address", "take the address of `{0}` itself, with `mov` and `cvta.param`",
        silent "unless the operand starts at a declared `TensorMap`, at an offset that is known \
            exactly: bytes and numbers may hold any map; about loads as bits (`.b64`), which copy \
            the map, and about instructions without a type";
    A020 out_of_bounds "6.4.1" Hazard Offset if has_bounds:
        "this access {1} of `{0}`, {2}", "{3}",
        silent "behind a pointer, unless the contract of the kernel compares the number of elements \
            with a number, and about negative offsets there; where a possible place lies inside; beyond the end of storage without a length, such as \
            dynamic shared memory, where only negative offsets are reported; about prefetches \
            without a size, which have no effect there; about `cp.async` with a size of the \
            source, which may be 0; where control gets there only if a parameter or a number from \
            memory is 2 or more, as in the body of an unrolled loop, or only after two tests of \
            numbers from memory or one of two numbers that inputs decide, or in launches of more \
            than a warp where no comparison of the number of threads says so: no launch may reach it";
    A023 barrier_touched "9.7.13" Hazard Name if may_touch_barrier:
        "this accesses a barrier in `{0}`, which only `mbarrier` instructions and copies that complete on it may do", "use other storage",
        silent "where the offset is not known exactly; about barriers that are declared as numbers \
            or bits, such as `u64`; about tiles whose map is known (A037, A039)";
    A034 wrong_type "5.2.1" Hazard Name also on (Variable | Param | Local) if is_computed_with:
        "`{0}` holds `.{1}` there, but this uses it as `.{2}`", "{3}",
        silent "unless the program computes with the data as numbers of another floating-point \
            format: an arithmetic instruction takes what is loaded, or has computed what is \
            stored, in the same straight-line code, or updates it in memory; about integers, \
            unless they are declared in Rust and accessed as floating-point numbers; in PTX text, \
            about accesses of another size than the declared number; where other code may have written \
            such numbers there, or may read them there; about storage that is declared as bits \
            (`B8` to `B128`, `.b32`) or bytes (`u8`); about numbers of fewer than 32 bits that are \
            loaded (A080 to A083); where the type at a possible place fits, or there are more than \
            256 places";
    A021 offset_misaligned "6.4.1" Hazard Offset if needs_alignment:
        "offset {1} into `{0}` is not a multiple of {2}, which this access needs", "write a multiple of {2}, or access fewer bytes at a time",
        silent "where a possible place is aligned; after a test that proves the address aligned; \
            behind a pointer that promises an alignment of 1";
    A090 fragment_misaligned "9.7.14.4.2" Unenforced Name if has_isa_alignment:
        "`{0}` is aligned to {1} there, but the PTX ISA asks for {2}, the size of the fragment", "align it to {2} bytes, and write an offset that is a multiple of {2}",
        silent "where the access would fault (A021, A022, A036); where a possible place is aligned; after a test that proves \
            the address aligned; behind a pointer that promises less, which may be aligned better";

    /// Rules about a declaration together with all accesses to it that need a greater alignment.
    fn alignment(alignment: Alignment<'a>) tests (alignment) of alignment.object.name(),
        allowed (on Statement | Function | Variable | Param | Local, by Local: alignment.object.variable().allow),
        silent (each "where the offset itself is misaligned (A021), or is not known modulo the \
            alignment that the access needs; after a test that proves the address aligned");
    A022 base_misaligned "6.4.1" Hazard Align:
        "`{0}` is aligned to {1}, but {2}", "{3}",
        silent "behind a pointer (A036)";
    A036 promise_too_low "5.1.6.3" Hazard Align:
        "`{0}` promises an alignment of {1}, but {2}", "point to a type with that alignment, promise it (`U{3}` after the type in `Ptr`), or test the address first",
        ptx "promise it with `.ptr .align {3}`, or test the address first",
        silent "about a pointer that promises an alignment of 1, as compilers write it for \"unknown\"; where a flag of \
            the host decides that control gets to the access: a test of a parameter or of a number in memory, which \
            chooses between two accesses, or a test of a bit or a byte";

    /// Rules about the tile and the map of a tensor copy.
    fn copy(copy: TensorCopy<'a>) tests (copy) of copy.map.1.name(),
        allowed (on Statement | Function),
        silent (each "unless the tile and its map are known as operands are (see there), and the \
            map is declared as a `TensorMap`, at an offset that is known exactly; about \
            prefetches, which have no tile. Of a tile at several places, single executions are \
            checked as they are for operands, by the first and the last of the places");
    A037 tile_too_small "5.5.3" Hazard Name:
        "a tile of `{0}` takes {1} bytes, but `{2}` has room for {3}", "declare a `Tile<M>` there, or make room for it",
        ptx "make room for it",
        silent "behind a pointer, and where a place at which the tile may start has room for it, \
            or unknown room";
    A038 tile_misaligned "5.5.6" Hazard Name:
        "a tile of `{0}` needs an alignment of {1} for its swizzle, but `{2}` is aligned to {3}", "declare it `Tile<M>`, or align it to {1}",
        ptx "write `.align {1}` there",
        silent "where the storage is aligned to less than 128 bytes, which A022 reports, and about tiles \
            that need no more than that; where a `Tile` may be declared there; about offsets that \
            are not known modulo 128, since code may align the address itself";
    A039 tile_of_another "5.5.3" Hazard Name:
        "this copies a tile of `{0}`, but `{1}` has a `{2}` there", "use the tile of this map",
        silent "where something other than a `Tile`, or a tile like that of the map, is declared \
            at a possible place";
    A060 tile_across_tiles "5.5.3" Hazard Name:
        "a tile of `{0}` starts {1} bytes into a tile `{3}` of `{2}`, and runs past its end", "start where a tile `{3}` starts",
        silent "where a possible place is outside a `Tile`, or is the start of one, or has enough \
            room before its end";
    A040 coordinate_misaligned "5.5.3.1" Hazard Value:
        "the box starts at element {0} of a row of `{1}`, which is not a multiple of 16 bytes", "start at a multiple of {2} elements",
        silent "where the coordinate is not the same known number in every execution, and about \
            interleaved maps, whose first dimension counts slices";

    /// Rules about the number of bytes that a barrier is set to expect.
    fn transactions(transactions: Transactions<'_>) tests (transactions) of "",
        allowed (on Statement | Function),
        silent (each);
    A041 transactions_differ "9.7.13.15" Hazard Value:
        "the barrier expects {0} bytes, but the copies of this phase bring {1}: {2}", "expect {1}, or {3} {0}",
        silent "in functions; unless the block's threads are followed until all of them have ended \
            or wait: where `expect_tx` and copies are not in the same straight-line code, \
            without an arrival, a wait, a label, a branch or a call between them, or have \
            different guards; where a size, a map or the barrier is not known; where another copy \
            there, or a copy elsewhere without an `expect_tx`, may complete on the same barrier; \
            about copies to several blocks, or from another one";

    /// The rule about a barrier on which a copy completes, depending on whether the kernel expects bytes anywhere.
    fn completed(barrier: &'a str, is_expected: bool) tests (barrier, is_expected) of barrier,
        allowed (on Statement | Function),
        silent (each);
    A053 transactions_not_expected "9.7.13.15" Hazard Name:
        "a copy completes on `{0}`, but nothing here expects its bytes: the phase ends without them", "arrive with `mbarrier.arrive.expect_tx` and the number of bytes that are copied",
        silent "in functions, whose callers may expect the bytes; unless the block's threads are \
            followed until all of them have ended or wait: in kernels that expect bytes \
            anywhere, complete them with `mbarrier.complete_tx`, or call a function";

    /// Rules about the numbers that a barrier counts to.
    fn count(count: BarrierCount) tests (count) of "",
        allowed (on Statement | Function),
        silent (each "unless the count is the same known number in every execution");
    A047 count_out_of_range "9.7.13.15" Hazard Value:
        "the barrier is set to count {0} {1}, but it can count {2} to {3}", "stay in that range, or use several barriers or phases",
        silent "about an expected count that is only not a multiple of 4 (A054)";
    A054 count_not_whole "9.7.13.15" Hazard Value:
        "the barrier is set to expect {0} bytes, but copies bring multiples of {1}: the phase never ends", "expect the bytes that are copied, a multiple of {1}",
        silent "in functions, and in kernels in which `mbarrier.complete_tx` or a called function may \
            complete the rest";

    /// Rules about a matrix descriptor and its tile.
    fn descriptor(descriptor: TileDescriptor<'a>) tests (descriptor) of descriptor.tile.1.name(),
        allowed (on Statement | Function),
        silent (each "unless the register holds, on every path, a descriptor made from the address \
            of storage, by `shr` by 4 with or without a mask of the field, or by `bfe` of 14 bits \
            from bit 4, with other bits that are known; where something other than a `Tile` may be \
            declared there; where it may start at more than 256 places");
    A042 descriptor_differs "9.7.15.5" Hazard Name:
        "the {0} is {1} in this descriptor, but {3} for `{2}`", "use the bits of `{2}::SPEC.matrix_descriptor(..)`",
        ptx "make the descriptor with {3} there",
        silent "about fields that the instruction does not read: the leading offset within the \
            span of a swizzle, and the offset along rows that are all in one pattern; about \
            layouts without a descriptor";
    A050 matrix_of_other_elements "9.7.15.5" Hazard Name:
        "this takes a matrix of `.{0}`, but the elements of `{1}` are `.{2}`", "write the type of the tile's elements, or use another tile",
        silent "about elements other than `f16`, `bf16`, `tf32` and `f32`, and about `f32` that is \
            taken as `tf32`";
    A051 matrix_too_small "9.7.15.5" Hazard Name:
        "this reads {0} rows, but `{1}` has {2} there", "use a smaller shape, or a tile with as many rows",
        silent "about transposed matrices, and about tiles without a swizzle of `B32`, `B64` or `B128`";

    /// Rules about a register that an instruction uses as an address or a guard.
    fn register(taken: register::Taken<'a>) tests (taken) of taken.name,
        allowed (on Statement | Function),
        silent (each "about a statement with another finding, and about registers that an \
            instruction uses for anything but an address in brackets, a guard, or the number or a \
            count of a barrier");
    A056 register_not_written "5.1.1" Hazard Name:
        "`{0}` is {1} here, but no earlier instruction writes {2}{3}", "set it first, or use another register",
        silent "about a register that is written on some path, if only under a guard, and about \
            parameters; about a register that was reported before; about values computed from such \
            a register, except sums, conversions, constant multiples and comparisons of it; about \
            sums with another value that may be computed from it too, about comparisons that may \
            give the same result for all numbers, and about predicates that another one may decide";
    A057 number_as_address "6.4.1" Hazard Name:
        "`{0}` holds a number instead of an address: this instruction accesses address {1} at most", "add it to the address of a variable, or to one that a parameter holds",
        silent "about numbers that are not known to be below 65,536; about spaces other than \
            `.global` and generic addresses, since shared memory starts at zero; about barriers \
            and tensor maps; about prefetches, and about `cp.async` with a size of the source";
    A058 truncated_address "6.4.1" Hazard Name:
        "`{0}` holds the lowest 32 bits of an address of `{1}`, but this instruction takes it as the address", "keep addresses in 64-bit registers",
        silent "about the spaces and instructions that A057 leaves out; where the bits are those \
            of several addresses, or of different ones on different paths";

    A094 address_as_number "6.4.1" Hazard Name:
        "`{0}` is the address of the parameter `{1}`, but this instruction takes it as a number", "load the value with `ld.param.{2} {3}, [{1}];`",
        silent "about parameters other than scalars; about sums, `and`, `or` and `xor`, selections, \
            integer conversions and copies of the address, unless an instruction takes the result \
            as a number; about differences and comparisons with what may be an address; in \
            coordinates, in arguments of calls and stores to `.param`, and where 64 bits are stored \
            to `.local`; after `cvta.param`; about a parameter that was reported before";

    A062 address_in_other_block "5.1.7" Hazard Name:
        "`{0}` holds an address of `{1}` in another block of the cluster, but this instruction accesses the shared memory of its own block", "write `.shared::cluster`, or take the address without `mapa`",
        silent "in functions, and in kernels that declare no cluster of two blocks or more; where \
            the rank that `mapa` names is known neither for all threads nor for a thread that \
            certainly exists, or may be the block's own; after an undecided test of the block's rank";

    /// Rules about a register that an instruction uses as numbers in a format.
    fn numbers(taken: UsedNumbers<'a>) tests (taken) of taken.name,
        allowed (on Statement | Function),
        silent (each "where the format in the register is not known, or not the same on every \
            path. The format is known of the results of conversions, arithmetic and matrix \
            products, and of loads, as bits too, from storage that is declared with numbers of one \
            format, unless this body stores other bits there. It is followed through `mov`, with \
            braces too, `selp`, `min`, `max`, `neg`, `abs`, `ldmatrix`, unsigned `cvt`, and \
            `prmt`, `shl` and `shr` by known whole bytes. Also silent about zeros and integers; \
            where one format is the upper part of the other, such as `bf16` of `f32` and `e5m2` of \
            `f16`; about parts of numbers; in functions with indirect branches; about a register \
            that was reported before for the same reason");
    A080 number_of_other_format "5.2.3" Hazard Name:
        "`{0}` holds `{1}`, but this instruction takes it as `{2}`", "convert it first, or declare, load or compute it as `{2}`",
        ptx "convert it first, or load or compute it as `{2}`; variables of a small format are bits, such as `.b16`",
        silent "about comparisons, `neg`, `abs`, `min` and `max`, whose results are nearly always \
            the same";
    A081 lane_of_other_format "5.2.3" Hazard Name:
        "`{0}` holds `{1}` in {2}, but this instruction takes all of it as `{3}`", "pack numbers of one format",
        silent "about comparisons, `neg`, `abs`, `min` and `max`, whose results are nearly always \
            the same";
    A082 fragment_of_other_format "9.7.14.5" Hazard Name:
        "`{0}` holds `{1}`, but this instruction takes it as a fragment of a matrix of `.{2}`", "{3}",
        silent "about `wmma`, and about matrices of integers and bits";
    A083 scales_of_other_format "9.7.14.3" Hazard Name:
        "`{0}` holds `{1}`, but this instruction takes scales of `.{2}` from it", "write the type of the scales, or convert them first",
        silent "unless all bytes of the register are of another format, since the instruction \
            takes only some of them";

    /// Rules about the rank of a block of a cluster.
    fn named_block(block: register::NamedBlock) tests (block) of "",
        allowed (on Statement | Function),
        silent (each);
    A059 rank_beyond_cluster "9.7.9" Hazard Value:
        "this names block {0} of the cluster, but a cluster of this kernel has {1}", "name a block below {1}, or declare a larger cluster",
        silent "in functions, and in kernels that declare no cluster; where the rank is known \
            neither for all threads nor for a thread that certainly exists";

    /// Rules about a load of read-only data after a store to it by the same kernel.
    fn reload(reload: Reload<'a>) tests (reload) of reload.object.name(),
        allowed (on Statement | Function),
        silent (each);
    A061 stored_before_nc "9.7.9.9" Unenforced Name:
        "this kernel has stored to these bytes of `{0}`, but `.nc` is for data that stays the same while it runs", "remove `.nc`",
        silent "where it is not known that the same thread has stored before, on every path: at \
            the same sum of a pointer, constants and values that stay the same for a thread, or at \
            the same register with only unguarded straight-line code in between; about aliases \
            behind two pointers, stores by other threads, and writes by copies";

    /// Rules about the order of operations on barriers, asynchronous copies, proxies and blocks of a cluster.
    fn protocol(misuse: Misuse<'a>) tests (misuse) of misuse.name,
        allowed (on Statement | Function),
        silent (each "in functions, and in kernels that call one or have an indirect branch; about what \
            other kernels, host code and pointers in memory do; about storage that is not known, or \
            that unknown addresses may refer to");
    A063 answer_unused "9.7.13.15" Hazard Name:
        "nothing reads `{0}`, so this tests once whether the phase is complete, and does not wait", "branch back to this instruction while `{0}` is false",
        silent "where an instruction that control may reach reads the register before another one writes \
            it, and where another wait may be for the same barrier";
    A064 initialised_twice "9.7.13.15" Hazard Name:
        "`{0}` is already a barrier, and only an invalidated one can be initialised again", "initialise it once, or write `mbarrier.inval` before this",
        silent "unless every path passes an unguarded initialisation of the same barrier; where \
            anything in the kernel may invalidate it, or store to its bytes";
    A065 used_after_inval "9.7.13.15" Hazard Name:
        "`{0}` has been invalidated, and is no longer a barrier", "invalidate it after its last use, or initialise it again",
        silent "unless every path passes an unguarded `mbarrier.inval` of the same barrier; where \
            control may reach an initialisation after it";
    A066 never_initialised "9.7.13.15" Hazard Name:
        "no `mbarrier.init` of `{0}` comes before this", "initialise it in one thread, and write `bar.sync 0` before the others use it",
        silent "where an initialisation may be of this barrier, unless all threads that get to it \
            have used the barrier before; about all but the first use to which threads are followed";
    A067 too_few_arrivals "9.7.13.15" Hazard Value:
        "`{0}` is initialised for {1} arrivals, but at most {2} in a phase, so a wait for it never returns", "initialise it for the number of arrivals in a phase",
        silent "unless the block's extents are given, and its threads are followed until all of \
            them have ended or wait for this phase, which is the first; about other phases (A110) and \
            too many arrivals (A111)";
    A068 parity_of_no_phase "9.7.13.15" Hazard Name:
        "the first wait for `{0}` is for parity 1, which a fresh barrier has already completed: it returns before the copied bytes are there", "wait for parity 0 first",
        silent "unless the block's extents are given, and its threads are followed; where \
            something else orders the copy and what reads its bytes";
    A069 not_published "9.7.13.15" Hazard Name:
        "other warps use `{0}` here, but nothing makes them wait until it is initialised", "write `bar.sync 0` after the initialisation",
        silent "unless the block's extents are given, and its threads are followed; where anything \
            that threads have waited for orders the initialisation and the use; about all uses but \
            the first";
    A070 read_before_wait "9.7.9.25" Hazard Name:
        "`cp.async` copies to `{0}`, but {1}{2}{3} before this reads it", "wait for the copy first, with `cp.async.wait_all` or by its group, and write `bar.sync 0` if other threads copied",
        silent "where something else may write these bytes; where control may get from such a copy \
            to a wait that may wait for its group, in any role of the kernel, or to \
            `cp.async.mbarrier.arrive`; about wgmma, and other copies that read it";
    A071 source_overwritten "9.7.9.25" Hazard Name:
        "a bulk copy may still be reading `{0}` when this writes to it", "write `cp.async.bulk.commit_group` and `cp.async.bulk.wait_group.read 0` in between",
        silent "unless both certainly access the same bytes, and the copy certainly leads here, in the \
            next iteration of a loop at the latest; where any path has a wait that may wait for its \
            group";
    A072 proxy_not_fenced "9.7.9.27" Hazard Name:
        "`{0}` was written through the generic proxy, but this reads it through the async proxy with no proxy fence in between", "write `fence.proxy.async` after the stores, before the threads synchronise",
        silent "where something else may write these bytes, and where any path from such a store \
            has a `fence.proxy`";
    A073 block_not_started "9.7.13.4" Hazard Name:
        "this accesses `{0}` in another block of the cluster, but nothing ensures that the block has started", "write `barrier.cluster.arrive` and `barrier.cluster.wait` before this",
        silent "unless the extents of the block and the cluster are given, and the threads are \
            followed; where they have met those of the other block, or waited for something in memory";
    A074 block_may_end "9.7.13.4" Hazard Name:
        "this accesses `{0}` in another block of the cluster, but nothing keeps that block from exiting first", "write `barrier.cluster.arrive` and `barrier.cluster.wait` after the access, in all blocks",
        silent "as A073 is; where threads of the other block know of the access, or wait for \
            something in memory that may be written after it";

    A085 completion_not_awaited "9.7.9.25" Hazard Name:
        "a bulk copy to `{0}` completes on a barrier for which nothing waits, so this may read `{0}` before the bytes arrive", "wait for the barrier before this: branch back to `mbarrier.try_wait.parity` while its result is false",
        silent "where something else may write these bytes, and where a wait, wherever it is, may be for \
            the barrier; unless control may get from the copy to the read; about ordered reads \
            (`.volatile`, `.acquire`)";

    /// Rules about what the threads of a block or a cluster do in a launch, who are followed one by one.
    fn trace(trace: Trace<'a>) tests (trace) of "",
        allowed (on Statement | Function),
        silent (each "unless the block's extents are given; in functions, in kernels that call one, \
            and after what depends on loaded data, unless that joins again before anything else than \
            loads and stores; where another number in a parameter makes it right");
    A109 unordered "8.9" Hazard Name:
        "{0} byte {1} of `{2}`, and {3}: nothing orders the two", "put a barrier between them, or wait for the copy",
        silent "about threads of one warp and those that store the same number, or what one \
            instruction computes from the same (A117), where both \
            are atomic, relaxed or volatile with a scope that holds both, and after a thread may \
            have waited for a flag in memory; about all but the first of the accesses in two \
            pieces of straight-line code that one barrier would order";
    A110 phase_never_over "9.7.13.15" Hazard Name:
        "this waits for `{0}` forever: {2}{1}", "make the arrivals and bytes of each phase those that the barrier expects, and test the parity of the next phase",
        silent "where what tests the barrier may do something else than to test it again";
    A111 too_many_arrivals "9.7.13.15" Hazard Name:
        "with this, `{0}` has more than the {1} arrivals that it expects in a phase", "initialise it for the number of arrivals in a phase, or wait until the phase is over before this",
        silent "";
    A112 barrier_never_met "9.7.13.1" Hazard Name:
        "barrier {0} waits for {1} threads, but {2} arrive: this waits forever", "have all threads that it waits for execute this equally often, or give the number of those that do",
        silent "where other threads wait for an `mbarrier` forever";
    A113 warp_diverges "9.7.13" Hazard Name:
        "all lanes of a warp have to execute this together, but in one warp lane {0} does, and lane {1} does not", "let whole warps branch, or leave out `.aligned` (`barrier.sync` for `bar.sync`)",
        silent "about lanes that wait forever for a phase (A110)";
    A114 cluster_never_met "9.7.13.4" Hazard Name:
        "thread {0} of block {1} does not arrive at the barrier of the cluster once before each wait", "have every thread of the cluster execute `barrier.cluster.arrive`, and then `barrier.cluster.wait`",
        silent "";
    A115 mask_of_absent "9.7.9.6" Hazard Name:
        "the mask {0} names lane {1}, which does not get here", "name the lanes that execute this, or let the others execute it too",
        silent "";
    A116 mask_without_own "9.7.9.6" Hazard Name:
        "the mask {0} does not name lane {1}, which executes this", "name every lane that executes this",
        silent "";
    A117 unenforced "8.9" Hazard Name:
        "{0} byte {1} of `{2}`, and {3}: the memory model does not order the two, even if lockstep of a warp or equal numbers hide it", "write `bar.warp.sync` between them, or let one thread store it",
        silent "unless it is requested (`ptx check --strict`)";
    A118 outside_buffer "6.4.1" Hazard Name:
        "{0} byte {1} of `{2}`, which has {3} bytes in this launch", "pass a larger buffer, or let fewer threads access it",
        silent "unless the bytes are given, as `--dynamic` or `--param p=@BYTES`";
    A119 no_such_barrier "9.7.13.1" Hazard Name:
        "there is no barrier {0}: a block has the barriers 0 to 15", "use a number below 16",
        silent "about numbers from 4,095 on, which may be addresses";
    A120 copy_not_whole "9.7.9.25" Hazard Name:
        "this copies {0} bytes, which is not a multiple of 16", "copy a multiple of 16 bytes",
        silent "";
    A121 barrier_overwritten "9.7.13.15" Hazard Name:
        "{0} byte {1} of `{2}`, where an `mbarrier` is in use", "invalidate it first with `mbarrier.inval`, or store elsewhere",
        silent "";
    A122 never_written "5.1.7" Hazard Name:
        "{0} byte {1} of `{2}`, which nothing writes", "store there first, or read less",
        silent "unless it is requested (`ptx check --strict`); where one of the bytes that a thread \
            reads is written, in blocks whose extents are not given, and in kernels that write to shared memory at an address, or of a size, that is not known";
    A123 completes_elsewhere "9.7.9.25" Hazard Name:
        "this writes to block {0} of the cluster, but completes on a barrier of block {1}", "name the barrier of the block that it writes to, by its address from `mapa`",
        silent "about `.cta_group::2`";
    A124 partial_warpgroup "9.7.15" Hazard Name:
        "the warps {0} to {1} of a block are a warpgroup, but only {2} of them execute this", "have all 128 threads of a warpgroup execute it",
        silent "";
    A125 no_such_block "9.7.9" Hazard Name:
        "thread {0} of block {1} names block {2} of the cluster, which has {3}", "name a block below {3}, or declare a larger cluster",
        silent "";
    A126 barrier_counts "9.7.13.1" Hazard Name:
        "barrier {0} is for {1} here, but for {2} where others arrive", "give the same number of threads everywhere at this barrier, or none anywhere",
        silent "";
    A127 columns_not_freed "9.7.16.7" Hazard Name:
        "{0} of tensor memory that this allocates are never freed", "free them with `tcgen05.dealloc` before the kernel ends",
        silent "";
    A128 no_columns "9.7.16.7" Hazard Name:
        "this waits forever for {0} of tensor memory: the block holds {1} of 512", "free columns first, or allocate fewer",
        silent "";
    A129 still_loading "9.7.16.8" Hazard Name:
        "this reads a register before the `tcgen05.ld` into it is over", "wait for it with `tcgen05.wait::ld.sync.aligned`",
        silent "";
    A130 phase_undecided "9.7.13" Hazard Name:
        "nothing decides to which phase of the barrier this belongs: thread {0} does not wait for the end of the phase {1}", "wait for that phase first, or use another barrier",
        silent "about threads of one warp; where something in memory that was waited for may have ordered them; in kernels in which the order of accesses is wrong, and about what comes after the first; about phases that nothing waits for";
    A131 waits_elsewhere "9.7.13.15" Hazard Name:
        "thread {0} of block {1} waits for an `mbarrier` of block {2} of the cluster", "wait for one of its own block, at which other blocks arrive",
        silent "";
    A132 odd_columns "9.7.16.7" Hazard Name:
        "{0} of tensor memory cannot be allocated", "allocate 32, 64, 128, 256 or 512 columns",
        silent "";
    A133 barrier_mixed "9.7.13.1" Hazard Name:
        "this {1} predicates at barrier {0}, but others that meet there {2}", "use another barrier for the reduction",
        silent "";

    /// The rule about dynamic shared memory that has several names.
    fn aliased(aliased: AliasedLoad<'a>) tests (aliased) of aliased.lost,
        allowed (on Statement | Function),
        silent (each);
    F015 dynamic_shared_aliases "5.1.7" Hazard Name:
        "this loads from `{0}`, but a store to `{1}` has overwritten what was stored there: all dynamic shared variables start at one address", "declare one variable, and divide it by offsets or as a struct",
        ptx "declare one variable, and divide it by offsets",
        silent "unless a store to the first certainly comes before the load, and every such store is \
            followed by one of the same thread to the same bytes of the second; where a load \
            reads through one of the two what was stored through the other alone; in functions and \
            kernels that call one, or that store to a place that is not known";

    /// Rules about a byte coordinate in a row of a surface.
    fn surface(at: SurfaceByte) tests (at) of "",
        allowed (on Statement | Function),
        silent (each);
    A075 surface_misaligned "9.7.11" Hazard Value:
        "the first coordinate counts bytes, but {0} is not a multiple of {1}, the number of bytes of this access", "multiply the index of the element by its size",
        silent "where the coordinate is not known modulo that number; about `.p`, whose \
            coordinates count samples";

    /// Rules about the number of threads that a barrier of a block waits for.
    fn block_barrier(barrier: BlockBarrier) tests (barrier) of "",
        allowed (on Statement | Function),
        silent (each);
    A076 count_not_reached "9.7.13.1" Hazard Value:
        "this barrier waits for {0} threads, which never arrive: {1}{2}{3}", "count the threads that arrive, a multiple of 32",
        silent "where the count is not the same known number in every execution, or is 0, or 4,096 \
            or more; about threads that do not get there (A112); about whole warps that the block \
            does not have, only in kernels that call nothing, and where all instructions at a \
            barrier with the same or an unknown number wait for as many threads";

    /// Rules about a warpgroup around asynchronous multiplications.
    fn warpgroup(found: Warpgroup<'a>) tests (found) of "",
        allowed (on Statement | Function),
        silent (each "about a statement with another finding, after calls, and in bodies with \
            `brx`");
    A077 touched_before_wait "9.7.15.7" Hazard Name:
        "`{0}` is {1} of a `wgmma.mma_async` that may still be running, but this {2} it{3}", "write `wgmma.commit_group.sync.aligned;` and `wgmma.wait_group.sync.aligned 0;` first",
        silent "where something may have waited for the multiplication on some path: a \
            `wait_group` that leaves as many groups as may be committed after it does not; about \
            reading parts of the left matrix, about `mov`, and about other multiplications with \
            the same accumulators";
    A078 multiplied_without_fence "9.7.15.7.1" Hazard Name:
        "there is no `wgmma.fence` between {0}{1} and this multiplication: where ptxas notices, it inserts one", "write `wgmma.fence.sync.aligned;` before it",
        silent "where a fence is on some path; about registers that are read or moved, or written \
            only on some path, or after a fence that no multiplication follows; in functions, \
            about their callers";
    A079 waits_for_no_group "9.7.15.7.3" Hazard Name:
        "this waits for groups of multiplications, but no earlier multiplication is in a group", "write `wgmma.commit_group.sync.aligned;` after the last multiplication",
        silent "in functions; where a group that was not waited for may be committed on some path, \
            and where some path has no multiplication before";

    /// Rules about the use of an instruction, regardless of its operands.
    fn instruction(used: Used<'a>, env: Environment) tests (used, env) of "",
        allowed (on Statement | Function),
        silent (each "about a need that was reported or allowed before in the same function: each \
            part of an instruction that needs something is reported once");
    A028 instruction_too_new "9.7" Refused Name:
        "`{0}` needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one",
        silent "where the module gives no version, and about every part of the instruction but the one \
            that needs the newest";
    A029 instruction_wrong_target "9.7" Refused Name:
        "`{0}` needs {1}, but the target is {2}", "choose a target that has it, or use another instruction",
        silent "about every part of the instruction but the one that the fewest targets have";
    A030 unknown_memory_instruction "9.7" Hazard Name:
        "`{0}` is not a known memory instruction, so its accesses cannot be checked", "{1}write `#[allow(A030)]` before it to skip the checks",
        ptx "{1}write `// ptx: allow(A030)` on the line before to skip the checks",
        silent "about an instruction without an operand in brackets";
    A084 unknown_word "9.7" Hazard Name:
        "`{3}{0}` is not a known {1}", "did you mean {2}? If the word is new, `#[allow(A084)]` before the statement lets it pass",
        ptx "did you mean {2}?",
        silent "about a word that is not spelled like a known one (which is A108 in a module that declares \
            PTX 9.0 or an older version), about shapes (`.m16n8k16`), and about modifiers of operands: \
            ptxas checks those";

    /// Rules about a name in a body.
    fn name_in_body(name: &'a str, wrong: WrongName<'a>) tests (name, wrong) of name, allowed nowhere,
        silent never;
    A101 undeclared "5.4.1" Refused Name:
        "nothing here is named `{0}`", "declare it in the body, as a parameter or in the module",
        silent "about a name that was reported before in the same function";
    A102 name_hidden "4.4" Unenforced Name:
        "`{0}` is called `{1}` in PTX, and this function has a `{1}` of its own, which would be meant", "rename that one",
        silent "in `Module::check()` and in PTX text, where names are those of PTX";
    A103 name_ambiguous "4.4" Unenforced Name:
        "`{0}` is called `{1}` or `{2}` in PTX, as `cfg` decides, but the PTX is written once for both", "give both the same `export_name`",
        ptx "give both the same name",
        silent "in `Module::check()` and in PTX text, where conditions have been decided";

    /// Rules about what stands where something else has to.
    fn misplaced(found: Misplaced<'a>) tests (found) of found.name, allowed nowhere,
        silent ("about what follows an unknown word in a statement (A084, A108)");
    A104 not_a_target "9.7.12" Refused Name:
        "{0} {1}{2}", "{3}";
    A105 no_such_directive "9.7.12" Refused Name:
        "{0} {1}, but {2} that stands before it", "write that label",
        silent "where a statement of the function could not be read, which may be the directive";
    A106 control_directive "11.3" Refused Name:
        "{0} {1}{2}", "{3}";
    A107 not_a_predicate "9.3" Refused Name:
        "{0} {1}, but a guard is a register of `.pred`", "write a `.pred` register, such as the result of `setp`";
    A108 misplaced_word "9.7" Refused Name:
        "{0} {1}{2}", "{3}";

    /// Rules about a call as a whole.
    fn call(name: &'a str, counts: Counts<'a>, is_kernel: bool) tests (name, counts, is_kernel) of name, allowed nowhere,
        silent ("in Rust about a call through a register with a prototype, and about a function that \
            is declared several times under different `cfg`");
    C001 call_of_kernel "5.1.6" Refused Name:
        "`{0}` is a kernel, and kernels are launched, not called", "make it a `#[device]` function",
        ptx "make it a `.func`";
    C002 call_args "5.1.6.4" Refused Name:
        "`{0}` takes {1}, but {2} passed", "{3}",
        silent "about a kernel (C001)";
    C003 call_returns "5.1.6.4" Refused Name:
        "`{0}` returns {1}, but {2} received", "name a register or `.param` variable for each value, as in `call (x), f, (a);`",
        silent "about a kernel (C001), and where the arguments do not fit either (C002)";

    /// Rules about an argument of a call, or about the receiver of a return value.
    fn argument(formal: &Param<'a>, actual: Actual<'a>) tests (formal, actual) of formal.variable.name, allowed nowhere,
        silent ("where the rules of the call are (see there), or where the call breaks one of them \
            (C001 to C003)");
    C004 argument_place "5.1.6.4" Refused Name:
        "`{0}` is given {1}", "use {2}",
        silent "about labels, and about undeclared names, which are reported themselves";
    C005 argument_type "5.1.6.4" Refused Name:
        "`{0}` takes `{1}`, but this is {2}", "pass {3} bits of the same kind",
        silent "about arrays of one size, whatever their elements are, and where C004 is reported";
    C006 argument_alignment "5.1.6.4" Refused Name:
        "the parameter `{0}` is aligned to {1} bytes, but the argument `{2}` to {3}", "declare the argument with `.align {1}`",
        silent "about arguments in registers, about numbers, and where C004 or C005 is reported";

    /// Rules about an address that is passed to a function.
    fn passed(address: PassedAddress<'a>) tests (address) of address.formal.variable.name,
        allowed (on Statement | Function),
        silent (each "about indirect calls, and calls of functions that are declared twice");
    C007 argument_space "5.1.6.3" Hazard Name:
        "`{0}` points into `{1}`, but is given an address of `{2}` in `{3}`", "pass an address in `{1}`, or declare the parameter for `{3}`",
        silent "about generic pointers and generic addresses; where it is not known which storage \
            the address is in, or control does not certainly get there";

    /// Rules about a register or a `.param` variable that is passed to a function.
    fn passed_name(passed: PassedName<'a>) tests (passed) of passed.name,
        allowed (on Statement | Function),
        silent (each);
    C008 argument_not_set "5.1.6.4" Hazard Name:
        "`{0}` is passed for `{1}`, which `{2}` computes with, but no earlier statement stores a value in it", "store the value in it before the call",
        silent "where any earlier statement may store a part of it; unless the function is in the \
            module and computes with the argument before any branch: an address, or a sum that it \
            stores or returns";

    /// Rules about a special register in a body.
    fn special(name: &'a str, env: Environment) tests (name, env) of name, allowed nowhere,
        silent never;
    S001 special_too_new "5.1.2" Refused Name:
        "`{0}` needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one",
        silent "where the module gives no version";
    S002 special_wrong_target "5.1.2" Refused Name:
        "`{0}` needs {1}, but the target is {2}", "choose a newer target";

    /// Rules about a module as a whole.
    fn module(module: &Module<'a>) tests (module) of module.name, allowed nowhere,
        silent never;
    T001 version_below_target "11.1" Refused Version:
        "{0} needs PTX {1} or newer, but the module declares PTX {2}", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one";
    T002 no_such_version "11.1" Refused Version:
        "PTX {0} does not exist", "write {1} or {2}";
    T004 version_below_target_accepted "11.1" Unenforced Version:
        "{0} needs PTX {1} or newer, but the module declares PTX {2}, which only ptxas 13.0 accepts", "write `version = {1}`, or leave the version out",
        ptx "write `.version {1}` or a newer one";
    T003 const_over_limit "5.1.3" Refused Name:
        "the constants of the module take {0} bytes with their padding, but constant memory holds {1} (the largest is `{2}`)", "declare some of them `#[global]`",
        ptx "declare some `.global`",
        silent "where one constant alone is over the limit (D009)";
}

/// Codes that no longer name a rule, each with the reason; codes are never reused.
pub const WITHDRAWN: &[(&str, &str)] = &[
    (
        "D051",
        "`ptxas --compile-only` takes the address of a function of another file, and the linker resolves it, as it does for a call",
    ),
    ("D057", "the driver finds private constants by name, too, so the host can fill them"),
    ("D058", "the driver finds private managed variables by name, too"),
];

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    find(RULES, code)
}

/// The reason why the rule with this code was withdrawn, if it was.
pub fn withdrawn(code: &str) -> Option<&'static str> {
    WITHDRAWN.iter().find(|(withdrawn, _)| *withdrawn == code).map(|(_, why)| *why)
}
